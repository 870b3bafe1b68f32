import type { Owner } from '../core/session/owner';
import type { SessionRegistry } from '../core/session/registry';
import { invokeTool, prepareTool, type ToolOutcome, toolsOf } from './invoke';
import { inputSchemaOf, outputSchemaOf } from './schema';
import type { Caller, Preparation, Tool, Toolset } from './tool';

/** A tool as data, for a client that is told about it over a wire. Schemas are JSON Schema 2020-12. */
export interface ToolDescription extends Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
}

export interface InvokeOptions {
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  onProgress(message: string): void;
}

/** The tools, wherever their sessions live: in this process or, over rpc, in a terminal host. */
export interface ToolService {
  /** The tools of these sets. */
  list(sets: readonly Toolset[]): Promise<readonly ToolDescription[]>;
  prepare(name: string, input: unknown, caller: Caller): Promise<Preparation>;
  invoke(name: string, input: unknown, caller: Caller, options: InvokeOptions): Promise<ToolOutcome>;
  /** The owner has gone: its terminals end. */
  release(owner: Owner): Promise<void>;
}

/** The tools on sessions of this process. */
export class LocalToolService implements ToolService {
  private readonly registry: SessionRegistry;
  private readonly closing = new AbortController();
  private readonly underWay = new Set<Promise<ToolOutcome>>();

  constructor(registry: SessionRegistry) {
    this.registry = registry;
  }

  async list(sets: readonly Toolset[]): Promise<readonly ToolDescription[]> {
    return toolsOf(sets).map(describe);
  }

  async prepare(name: string, input: unknown, caller: Caller): Promise<Preparation> {
    return prepareTool(name, input, { registry: this.registry, caller });
  }

  async invoke(name: string, input: unknown, caller: Caller, options: InvokeOptions): Promise<ToolOutcome> {
    const outcome = invokeTool(name, input, {
      registry: this.registry,
      caller,
      signal: AbortSignal.any([options.signal, this.closing.signal]),
      patienceMs: options.patienceMs,
      progress: message => options.onProgress(message),
    });
    this.underWay.add(outcome);
    return outcome.finally(() => this.underWay.delete(outcome));
  }

  /** Calls off what is under way, with the commands that were started for it, and ends all sessions. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.underWay);
    await this.registry.endAll();
  }

  async release(owner: Owner): Promise<void> {
    await this.registry.release(owner);
  }
}

function describe(tool: Tool): ToolDescription {
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
  };
}
