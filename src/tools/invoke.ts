import { GlassError, messageOf } from '../base/errors';
import { tools } from './index';
import { inputSchemaOf } from './schema';
import type { Caller, Preparation, Tool, ToolContext, ToolImage, Toolset } from './tool';

/** What a call came to, for any face: texts and pictures for the model, the structured form, or an error with its code. */
export interface ToolOutcome {
  readonly content: readonly string[];
  readonly images?: readonly ToolImage[];
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly details: Readonly<Record<string, unknown>> };
}

/** Runs a tool. Never rejects: a refusal, a mistake in the input and a fault of ours all come back as an outcome with `error`. */
export async function invokeTool(name: string, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  try {
    const tool = findTool(name, context.caller);
    const result = await tool.run(parseInput(tool, input), context);
    const content = [result.output, result.note].filter(text => text !== '');
    const { structured, images = [] } = result;
    return { content, structured, ...(images.length > 0 && { images }) };
  } catch (error) {
    return errorOutcome(error);
  }
}

/** What to tell, and perhaps ask, a person before the call. A call that will be refused needs no consent, so bad input asks nothing. */
export function prepareTool(
  name: string,
  input: unknown,
  context: Pick<ToolContext, 'registry' | 'caller'>,
): Preparation {
  const tool = findTool(name, context.caller);
  const parsed = tool.input.safeParse(input ?? {});
  return parsed.success ? tool.prepare(parsed.data, context) : { message: tool.title };
}

export function errorOutcome(error: unknown): ToolOutcome {
  const known =
    error instanceof GlassError
      ? error
      : new GlassError(
          'internal_error',
          `Glass TTY failed in an unexpected way: ${messageOf(error)}. Its log has more.`,
        );
  return { content: [`${known.code}: ${known.message}`], error: { code: known.code, details: known.details } };
}

function findTool(name: string, caller: Caller): Tool {
  const available = toolsOf(caller.toolsets);
  const tool = available.find(candidate => candidate.name === name);
  if (tool) return tool;
  const names = available.map(one => one.name).join(', ');
  throw new GlassError('unknown_tool', `There is no tool ${name} here. The tools are: ${names}.`);
}

/** The tools of some sets; all tools for undefined. */
export function toolsOf(sets: readonly Toolset[] | undefined): readonly Tool[] {
  return sets ? tools.filter(tool => sets.includes(tool.set)) : tools;
}

function parseInput(tool: Tool, input: unknown): unknown {
  const parsed = tool.input.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(issue => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ');
  const parameters = Object.keys(inputSchemaOf(tool)['properties'] ?? {});
  throw new GlassError(
    'invalid_input',
    `The input of ${tool.name} is not valid: ${issues}. Its parameters are: ${parameters.join(', ')}.`,
  );
}
