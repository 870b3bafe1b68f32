import { z } from 'zod';
import { GlassError } from '../base/errors';
import { execute } from '../core/session/execute';
import { DEFAULT_SIZE } from '../core/session/openShell';
import type { Session } from '../core/session/session';
import { findShell } from '../core/shell/findShell';
import { shellKind, shellTraits } from '../core/shell/shells';
import { availableCommands } from './availableCommands';
import { directoryOf } from './directory';
import { fenced } from './markdown';
import { defineTool, type ToolContext } from './tool';

const input = z.strictObject({
  shell_type: z
    .string()
    .default('codomyrmex')
    .describe(
      'bash, zsh, fish, sh, pwsh, python, node, any program by path, or codomyrmex: the user’s shell with its own prompt and a `help` that lists available_commands.',
    ),
  working_directory: z.string().optional().describe('Default is your workspace folder.'),
  prompt: z.string().optional().describe('The prompt, as it is.'),
  startup_commands: z
    .array(z.string())
    .max(100)
    .default([])
    .describe('Run one after the other; one that fails stops the list.'),
});

const output = z.object({
  shell_id: z.string(),
  shell_type: z.string(),
  status: z.enum(['started', 'startup_failed']),
  working_directory: z.string(),
  startup_commands_executed: z.number().int(),
  available_commands: z.array(z.string()),
  terminal: z.number().int(),
  failed_command: z.string().optional(),
  failed_exit_code: z.number().int().nullable().optional(),
  shell_integration: z.enum(['full', 'prompt', 'none']),
});

type Input = z.output<typeof input>;

const CODOMYRMEX = { type: 'codomyrmex', prompt: 'codomyrmex> ' } as const;
/** Programs that are asked for by another name than their file's. */
const programs: Readonly<Record<string, readonly string[]>> = { python: ['python3', 'python'], node: ['node'] };
/** Longest time (ms) that one startup command gets. */
const STARTUP_MS = 60_000;

/** codomyrmex's `start_interactive_shell`: a shell or a REPL as a numbered terminal. */
export const startInteractiveShell = defineTool({
  name: 'start_interactive_shell',
  title: 'Start an Interactive Shell',
  summary: 'Opens a terminal with a shell or REPL of your choice.',
  description: `Opens a new terminal with a shell (bash, zsh, fish, sh, pwsh), a REPL (python, node) or any program by path, with a prompt and startup commands of your choice, and returns its terminal number. Go on by terminal EXEC with that number, in python and node too, where exit code 1 means an uncaught error; in a program that gives no marks by respond and read_output. For ordinary commands terminal alone is enough: it opens a shell by itself.`,
  icon: 'terminal-bash',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call) {
    const commands =
      call.startup_commands.length === 0 ? '' : `\n\nand run in it:\n${fenced(call.startup_commands.join('\n'))}`;
    return {
      message: `Starting ${call.shell_type}`,
      confirm: {
        title: `Start ${call.shell_type} in a new terminal?`,
        message: `Start ${fenced(call.shell_type)}${commands}`,
      },
    };
  },

  async run(call, context) {
    const directory = directoryOf(call.working_directory, context.caller.cwd);
    const commands = await availableCommands(directory);
    const session = open(call, directory, commands, context);
    await session.ready(context.signal);
    const startup = await runStartup(session, call.startup_commands, context);
    const structured = {
      shell_id: session.id,
      shell_type: call.shell_type,
      status: startup.failed_command === undefined ? ('started' as const) : ('startup_failed' as const),
      working_directory: session.tracker.cwd,
      available_commands: commands,
      terminal: session.number ?? 0,
      shell_integration: session.integration,
      ...startup,
    };
    return { output: describe(structured), note: '', structured };
  },
});

function open(call: Input, cwd: string, help: readonly string[], { registry, caller }: ToolContext): Session {
  const isOurs = call.shell_type === CODOMYRMEX.type;
  const shell = isOurs
    ? findShell(caller.shell, registry.setup.baseEnv)
    : locate(call.shell_type, registry.setup.baseEnv);
  const prompt = call.prompt ?? (isOurs ? CODOMYRMEX.prompt : undefined);
  if (prompt !== undefined && !shellTraits(shellKind(shell)).setPrompt) {
    throw new GlassError(
      'prompt_not_supported',
      `The prompt of ${shell} cannot be set from here. Leave prompt out, or use bash, zsh, fish, sh, pwsh, python or node.`,
    );
  }
  return registry.open({
    owner: caller.owner,
    number: registry.freeNumber(caller.owner),
    shell,
    cwd,
    env: {},
    ...DEFAULT_SIZE,
    ...(prompt !== undefined && { prompt }),
    ...(isOurs && { help: ['Commands of this directory:', ...help.map(command => `  ${command}`)] }),
  });
}

/** Throws `shell_not_found` for the name that was asked for. */
function locate(type: string, env: NodeJS.ProcessEnv): string {
  for (const name of programs[type] ?? []) {
    try {
      return findShell(name, env);
    } catch {
      // The next name, and at last the type itself, whose error names it.
    }
  }
  return findShell(type, env);
}

async function runStartup(session: Session, commands: readonly string[], context: ToolContext) {
  for (const [index, command] of commands.entries()) {
    const timeoutMs = Math.min(STARTUP_MS, context.patienceMs);
    const { end, command: ran } = await execute(session, command, { timeoutMs, clear: false, signal: context.signal });
    // In a program without marks nobody knows how it went.
    const isFine = end === 'silence' || (end === 'finished' && (ran.exitCode ?? 0) === 0);
    if (!isFine) {
      return { startup_commands_executed: index, failed_command: command, failed_exit_code: ran.exitCode ?? null };
    }
  }
  return { startup_commands_executed: commands.length };
}

function describe(result: z.input<typeof output>): string {
  const lines = [
    `${result.shell_type} is terminal ${result.terminal} (${result.shell_id}), in ${result.working_directory}`,
  ];
  if (result.failed_command !== undefined) {
    lines.push(`startup stopped at: ${result.failed_command} (exit code ${result.failed_exit_code ?? 'unknown'})`);
  }
  if (result.available_commands.length > 0) lines.push(`here: ${result.available_commands.join(', ')}`);
  if (result.shell_integration === 'none') lines.push('this program gives no marks: use respond and read_output in it');
  return lines.join('\n');
}
