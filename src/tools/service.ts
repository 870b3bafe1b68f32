import { z } from 'zod';
import type { Owner } from '../core/session/owner';
import type { SessionRegistry } from '../core/session/registry';
import { tools } from './index';
import { invokeTool, prepareTool, type ToolOutcome } from './invoke';
import type { Caller, Preparation, Tool } from './tool';

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
  list(): Promise<readonly ToolDescription[]>;
  prepare(name: string, input: unknown, caller: Caller): Promise<Preparation>;
  invoke(name: string, input: unknown, caller: Caller, options: InvokeOptions): Promise<ToolOutcome>;
  /** The owner has gone: its terminals end. */
  release(owner: Owner): Promise<void>;
}

/** The tools on sessions of this process. */
export class LocalToolService implements ToolService {
  private readonly registry: SessionRegistry;

  constructor(registry: SessionRegistry) {
    this.registry = registry;
  }

  async list(): Promise<readonly ToolDescription[]> {
    return tools.map(describe);
  }

  async prepare(name: string, input: unknown, caller: Caller): Promise<Preparation> {
    return prepareTool(name, input, { registry: this.registry, caller });
  }

  invoke(name: string, input: unknown, caller: Caller, options: InvokeOptions): Promise<ToolOutcome> {
    return invokeTool(name, input, {
      registry: this.registry,
      caller,
      signal: options.signal,
      patienceMs: options.patienceMs,
      progress: message => options.onProgress(message),
    });
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

/** What a caller may give. */
export function inputSchemaOf(tool: Tool): Record<string, unknown> {
  return z.toJSONSchema(tool.input, { io: 'input' });
}

function outputSchemaOf(tool: Tool): Record<string, unknown> {
  return z.toJSONSchema(tool.output, { io: 'output' });
}
