import { basename } from 'node:path';
import { z } from 'zod';
import { GlassError } from '../base/errors';
import { execute } from '../core/session/execute';
import { DEFAULT_SIZE } from '../core/session/openShell';
import type { Session } from '../core/session/session';
import { directoryOf } from './directory';
import { fenced } from './markdown';
import { reportProgress } from './progress';
import { adviceAfter, commandText, factsOf, noteOn, screenText, terminalFacts } from './report';
import { findSession, peekSession, requireSession, terminalReference } from './sessions';
import { type Caller, defineTool, type Preparation, type ToolContext } from './tool';

const input = z.strictObject({
  action: z.enum(['EXEC', 'READ', 'LIST', 'KILL']).default('EXEC').describe('What to do.'),
  ...terminalReference,
  command: z
    .string()
    .optional()
    .describe('EXEC: the command line or script to run, exactly as the shell should get it.'),
  await_completion_ms: z
    .number()
    .min(0)
    .default(300_000)
    .describe('EXEC: longest wait for the end in ms; the command goes on afterwards. 0 returns at once.'),
  clear: z.boolean().default(true).describe('EXEC: clear the visible screen first. Nothing is lost, the log keeps it.'),
  tail: z.number().int().min(0).default(2000).describe('Output lines to return at most; 0 for all.'),
  cwd: z.string().optional().describe('EXEC: directory to open a new terminal in; in one that is open use cd.'),
  shell: z.string().optional().describe('EXEC: shell for a new terminal, by name or path, such as bash, zsh or fish.'),
  env: z.record(z.string(), z.string()).optional().describe('EXEC: environment variables for a new terminal.'),
  command_id: z.string().optional().describe('READ: only the output of this command.'),
  from_line: z.number().int().min(1).default(1).describe('READ with command_id: first line to return.'),
  scope: z.enum(['mine', 'all']).default('mine').describe('LIST: your terminals, or those of everybody in this host.'),
});

const listed = z.object({
  terminal: z.number().int().optional(),
  session_id: z.string(),
  title: z.string(),
  shell: z.string(),
  cwd: z.string(),
  state: terminalFacts.state,
  command: z.string().nullable(),
  exit_code: z.number().int().nullable(),
  owner: z.string(),
});

// One object for all actions, since an MCP output schema has to be an object: LIST gives `terminals`, the others the rest.
const output = z.object({ ...terminalFacts, terminals: z.array(listed), warning: z.string() }).partial();

type Input = z.output<typeof input>;
type Result = { output: string; note: string; structured: z.input<typeof output> };
type Scope = Pick<ToolContext, 'registry' | 'caller'>;

/** kodegen's `terminal`: numbered, persistent terminals for everyday commands. */
export const terminal = defineTool({
  name: 'terminal',
  title: 'Terminal',
  summary: 'Runs commands in real terminals that you can watch and type into.',
  description: `Runs shell commands in real, persistent terminals that a person can watch. Working directory, variables and running programs carry over between calls.
EXEC (default) runs \`command\` in terminal \`terminal\` and returns its output, exit code and cwd; it opens the terminal on first use. Multi-line scripts and heredocs run as given. If the command is still running after await_completion_ms, you get the output so far and completed=false, and it goes on; use await_completion_ms 0 for servers and other background work.
READ shows what the terminal shows now, or one command's output by command_id. LIST shows your terminals. KILL ends one with everything it started.
Use different terminal numbers for things that run at the same time: EXEC into a busy terminal is refused. When output was left out, the reply says how to read it. Stop a program with send_control.`,
  icon: 'terminal',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call, scope): Preparation {
    switch (call.action) {
      case 'EXEC':
        return prepareExec(call, scope);
      case 'KILL':
        return prepareKill(call, scope);
      default:
        return { message: call.action === 'LIST' ? 'Listing terminals' : `Reading terminal ${call.terminal ?? 0}` };
    }
  },

  run(call, context): Promise<Result> {
    switch (call.action) {
      case 'EXEC':
        return exec(call, context);
      case 'READ':
        return read(call, context);
      case 'LIST':
        return list(call, context);
      default:
        return kill(call, context);
    }
  },
});

function prepareExec(call: Input, scope: Scope): Preparation {
  const { session, number } = peekSession(call, scope);
  const cwd = session?.tracker.cwd ?? directoryOf(call.cwd, scope.caller.cwd);
  return {
    message: `Running a command in terminal ${number}`,
    confirm: {
      title: session ? `Run this command in terminal ${number}?` : `Run this command in a new terminal ${number}?`,
      message: `${fenced(call.command ?? '')}\n\nTerminal ${number}, in \`${cwd}\``,
    },
  };
}

function prepareKill(call: Input, scope: Scope): Preparation {
  const { session, number } = peekSession(call, scope);
  const running = session?.tracker.current;
  const message = `Ending terminal ${number}`;
  if (!running) return { message };
  return {
    message,
    confirm: { title: `End terminal ${number}?`, message: `It is running:\n${fenced(running.text)}` },
  };
}

async function exec(call: Input, context: ToolContext): Promise<Result> {
  if (call.command === undefined || call.command.trim() === '') {
    throw new GlassError('invalid_command', 'EXEC needs `command`, the command line to run.');
  }
  const existing = findSession(call, context);
  if (existing) assertFits(call, existing, context.caller);
  const session = existing ?? open(call, context);
  const progress = reportProgress(session, context);
  try {
    const { end, command } = await execute(session, call.command, {
      timeoutMs: Math.min(call.await_completion_ms, context.patienceMs),
      clear: call.clear,
      signal: context.signal,
    });
    const text = await commandText(session, command, call.tail);
    session.readers.set(context.caller.owner, session.log.end);
    const structured = { ...(await factsOf(session, command)), ...text };
    return { output: text.output, note: noteOn(structured, adviceAfter(end)), structured };
  } finally {
    progress.dispose();
  }
}

/** What only a new terminal can be given must not be ignored in silence for one that is there. */
function assertFits(call: Input, session: Session, caller: Caller): void {
  const { cwd } = session.tracker;
  const problem =
    call.shell !== undefined && call.shell !== session.shell && basename(call.shell) !== basename(session.shell)
      ? `runs ${session.shell}`
      : call.cwd !== undefined && directoryOf(call.cwd, caller.cwd) !== cwd
        ? `is in ${cwd}`
        : call.env && 'has its environment';
  if (!problem) return;
  throw new GlassError(
    'terminal_exists',
    `Terminal ${session.number} is open already and ${problem}: shell, cwd and env are for a new one. Use cd or export in the command, or another terminal number.`,
  );
}

function open(call: Input, { registry, caller }: ToolContext): Session {
  return registry.open({
    owner: caller.owner,
    number: call.terminal ?? 0,
    shell: call.shell ?? caller.shell,
    cwd: directoryOf(call.cwd, caller.cwd),
    env: call.env ?? {},
    ...DEFAULT_SIZE,
  });
}

async function read(call: Input, context: ToolContext): Promise<Result> {
  const session = requireSession(call, context);
  const command = call.command_id === undefined ? session.tracker.last : session.tracker.find(call.command_id);
  if (call.command_id !== undefined && !command) {
    throw new GlassError(
      'unknown_command',
      `There is in ${session.name} no command ${call.command_id}. READ without command_id shows the terminal as it is.`,
    );
  }
  const text =
    call.command_id !== undefined && command
      ? await commandText(session, command, call.tail, call.from_line)
      : await screenText(session, call.tail);
  const structured = { ...(await factsOf(session, command)), ...text };
  return { output: text.output, note: noteOn(structured), structured };
}

async function list(call: Input, { registry, caller }: ToolContext): Promise<Result> {
  const sessions =
    call.scope === 'all' ? registry.all.filter(one => one.kind !== 'transcript') : registry.numberedOf(caller.owner);
  await Promise.all(sessions.map(session => session.activity.refresh()));
  const terminals = sessions.map(session => {
    const { last } = session.tracker;
    return {
      ...(session.number !== undefined && { terminal: session.number }),
      session_id: session.id,
      title: session.title,
      shell: session.traits.kind,
      cwd: session.tracker.cwd,
      state: session.state,
      command: last?.text ?? null,
      exit_code: (session.exit ? session.exit.code : last?.exitCode) ?? null,
      owner: session.owner.label,
    };
  });
  const lines = terminals.map(
    one =>
      `${one.terminal ?? '-'}  ${one.session_id}  ${one.state}  ${one.shell}  ${one.cwd}  ${one.owner}${one.command ? `  ${one.command.split('\n')[0]}` : ''}`,
  );
  const note =
    terminals.length === 0
      ? '[no terminals; EXEC opens one]'
      : '[terminal  session id  state  shell  cwd  owner  last command]';
  return { output: lines.join('\n'), note, structured: { terminals } };
}

async function kill(call: Input, context: ToolContext): Promise<Result> {
  const session = requireSession(call, context);
  const command = session.tracker.last;
  const report = await context.registry.end(session);
  const facts = { ...(await factsOf(session, command)), completed: true };
  const left = report.survivors.map(one => `${one.command} (pid ${one.pid})`).join(', ');
  const warning = left ? { warning: `These processes are still there: ${left}.` } : {};
  const how = report.signal === 'none' ? 'had exited already' : `ended by ${report.signal}`;
  return {
    output: '',
    note: `[terminal ${session.number} is closed, ${how}${left ? ` · ${warning.warning}` : ''}]`,
    structured: { ...facts, ...(report.signal !== 'none' && { signal: report.signal }), ...warning },
  };
}
