import type { z } from 'zod';
import type { Owner } from '../core/session/owner';
import type { SessionRegistry } from '../core/session/registry';

/** The sets that tools come in; a client has those of the sets it asks for. */
export const toolsets = ['core', 'format', 'interminal'] as const;

export type Toolset = (typeof toolsets)[number];

/** Who calls, and where its new terminals open. */
export interface Caller {
  readonly owner: Owner;
  /** Absolute path of the directory for new terminals. */
  readonly cwd: string;
  /** Shell for new terminals when a call names none; undefined for the user's default. */
  readonly shell?: string;
  /** The sets whose tools the caller has; undefined for all. */
  readonly toolsets?: readonly Toolset[];
}

/** What a tool gets to work with beside its input. */
export interface ToolContext {
  readonly registry: SessionRegistry;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Longest time (ms) that the caller waits for an answer; a tool returns an unfinished one before. */
  readonly patienceMs: number;
  /** Tells the caller how things stand while the tool works. */
  progress(message: string): void;
}

/** A picture for the model; `data` is base64. */
export interface ToolImage {
  readonly mimeType: 'image/png';
  readonly data: string;
}

/** A successful result: `output` is what the terminal said, exactly; `note` is about it; `structured` is both for programs. */
export interface ToolResult {
  readonly output: string;
  readonly note: string;
  readonly images?: readonly ToolImage[];
  readonly structured: Readonly<Record<string, unknown>>;
}

/** What a person is told before a call; `confirm` is there when the call needs their consent. */
export interface Preparation {
  readonly message: string;
  readonly confirm?: { readonly title: string; readonly message: string };
}

/** A tool as every face needs it: VS Code's language-model tools, MCP and the manifest are all made from this. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For people, one sentence. */
  readonly summary: string;
  /** For models. */
  readonly description: string;
  /** Name of a VS Code product icon. */
  readonly icon: string;
  readonly set: Toolset;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** MCP annotations. `openWorldHint` is left out on purpose: VS Code reviews each result of a tool that has it. */
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
  prepare(input: unknown, context: Pick<ToolContext, 'registry' | 'caller'>): Preparation;
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

type ToolDefinition<I extends z.ZodType, O extends z.ZodType> = Omit<Tool, 'input' | 'output' | 'prepare' | 'run'> & {
  readonly input: I;
  readonly output: O;
  prepare(input: z.output<I>, context: Pick<ToolContext, 'registry' | 'caller'>): Preparation;
  run(
    input: z.output<I>,
    context: ToolContext,
  ): Promise<Omit<ToolResult, 'structured'> & { readonly structured: z.input<O> }>;
};

/** Declares a tool, with its functions typed by its schemas. `invokeTool` hands them only input that the schema has accepted. */
export function defineTool<I extends z.ZodType, O extends z.ZodType<Record<string, unknown>>>(
  definition: ToolDefinition<I, O>,
): Tool {
  return definition as unknown as Tool;
}
