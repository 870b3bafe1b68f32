import { z } from 'zod';
import { sessionEnvironment } from '../core/session/environment';
import { DEFAULT_SIZE } from '../core/session/openShell';
import type { Session } from '../core/session/session';
import { findShell } from '../core/shell/findShell';
import { shellKind, shellTraits } from '../core/shell/shells';
import { findSession, requireSession } from './sessions';
import { defineTool, type ToolContext } from './tool';

const input = z.strictObject({
  terminal: z.number().int().min(0).max(9999).optional().meta({ default: 0 }).describe('Which of your terminals.'),
  session_id: z.string().optional().describe('A terminal of anybody, by its session id, instead of `terminal`.'),
});

const output = z.object({
  status: z.literal('success'),
  terminal: z.string().describe('The terminal type, which programs find in TERM.'),
  shell: z.string().describe('Absolute path.'),
  columns: z.number().int(),
  lines: z.number().int(),
  colorterm: z.string(),
  term_program: z.string(),
  platform: z.string().describe('linux, darwin, win32 …'),
  encoding: z.string().describe('How the terminal reads what programs print.'),
  locale: z.string().describe('LC_ALL, LC_CTYPE or LANG: how programs print. Empty when none is set.'),
  shell_integration: z
    .enum(['full', 'prompt', 'none'])
    .describe('What the shell tells about its commands: all; prompts and exit codes; nothing.'),
  terminal_number: z.number().int(),
  session_id: z
    .string()
    .nullable()
    .describe('Null when the terminal is not open: the rest is what a new one will have.'),
});

type Info = z.input<typeof output>;

/** codomyrmex's `terminal_info`; there about the server's own process, here about a session. */
export const terminalInfo = defineTool({
  name: 'terminal_info',
  title: 'Terminal Environment',
  summary: 'Tells a terminal’s type, shell and size.',
  description: `Tells what programs in a terminal find: terminal type, shell, columns and lines, colour support, platform, encoding, and how much the shell tells about its commands. Of your terminal 0 if you name none; of one that is not open, what it will have. It runs nothing. For what a terminal is doing use terminal with READ or LIST.`,
  icon: 'info',
  set: 'format',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare(call) {
    return { message: `Looking at terminal ${call.session_id ?? call.terminal ?? 0}` };
  },

  async run(call, context) {
    // Your own terminal 0 need not be there, nor one with another number; an id that is not there is a mistake.
    const session = call.session_id === undefined ? findSession(call, context) : requireSession(call, context);
    const structured = infoOf(session, call.terminal ?? 0, context);
    const text = Object.entries(structured).map(([name, value]) => `${name}: ${value ?? 'not open'}`);
    return { output: text.join('\n'), note: '', structured };
  },
});

function infoOf(session: Session | undefined, number: number, { caller, registry }: ToolContext): Info {
  const { env } = sessionEnvironment(registry.setup.baseEnv, {}, '');
  const shell = session?.shell ?? findShell(caller.shell, env);
  return {
    status: 'success',
    terminal: env['TERM'] ?? '',
    shell,
    columns: session?.cols ?? DEFAULT_SIZE.cols,
    lines: session?.rows ?? DEFAULT_SIZE.rows,
    colorterm: env['COLORTERM'] ?? '',
    term_program: env['TERM_PROGRAM'] ?? '',
    platform: process.platform,
    encoding: 'UTF-8',
    locale: env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '',
    shell_integration: session?.integration ?? shellTraits(shellKind(shell)).integration,
    terminal_number: session?.number ?? number,
    session_id: session?.id ?? null,
  };
}
