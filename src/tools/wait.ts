import { z } from 'zod';
import { GlassError } from '../base/errors';
import type { Session } from '../core/session/session';
import { type Condition, type Met, waitUntil } from '../core/session/waitUntil';
import { toRegExp } from './pattern';
import { reportProgress } from './progress';
import { factsOf, terminalFacts } from './report';
import { requireSession } from './sessions';
import { defineTool, type ToolContext } from './tool';

const ends = [
  'prompt',
  'exit',
  'pattern',
  'screen',
  'silence',
  'continuation',
  'keyboard',
  'input',
  'secret',
  'pager',
  'fullscreen',
] as const satisfies readonly Condition['kind'][];

const input = z.strictObject({
  terminals: z
    .array(z.number().int().min(0).max(9999))
    .max(50)
    .optional()
    .meta({ default: [0] })
    .describe('Which of your terminals.'),
  session_ids: z.array(z.string()).max(50).optional().describe('Terminals of anybody, by session id.'),
  until: z
    .array(z.enum(ends))
    .min(1)
    .default(['prompt', 'input'])
    .describe(
      'The first of these ends the wait: command over, shell ended, `pattern` printed or on the screen now, silent for `silence_seconds`, the person’s typing over (keyboard), or the terminal’s state. exit and secret always do.',
    ),
  pattern: z
    .string()
    .optional()
    .describe('Regular expression for a line of the current command’s output, past or to come.'),
  silence_seconds: z.number().min(0).max(3600).default(5),
  mode: z.enum(['any', 'all']).default('any').describe('Return when one terminal is there, or all.'),
  timeout_seconds: z.number().min(0).max(86_400).default(300),
});

const outcome = z.object({
  terminal: terminalFacts.terminal,
  session_id: terminalFacts.session_id,
  end: z.enum(ends).nullable().describe('Null if nothing came.'),
  line: z.string().optional(),
  state: terminalFacts.state,
  exit_code: terminalFacts.exit_code,
  cwd: terminalFacts.cwd,
});

const output = z.object({ timed_out: z.boolean(), terminals: z.array(outcome) });
type Input = z.output<typeof input>;
type Outcome = z.output<typeof outcome>;

/** Blocks until something happens in one or more terminals: what an agent does instead of sleeping and looking. */
export const wait = defineTool({
  name: 'wait',
  title: 'Wait for a Terminal',
  summary: 'Waits until a command ends, a line appears, or a terminal falls silent.',
  description: `Blocks until something happens in one or more terminals, and says what: a command ends (prompt), a line matching a pattern is printed ("listening on"), output falls silent, a shell exits, a program waits for input or a password, a screen is drawn. Use it after starting background work (a dev server, a build, a test run) instead of sleep or repeated reading. Returns at once if it is so already. READ or read_output then show the output.`,
  icon: 'watch',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare(call) {
    return { message: `Waiting for ${call.until.join(' or ')}` };
  },

  async run(call, context) {
    const sessions = sessionsOf(call, context);
    const conditions = conditionsOf(call);
    const met = await waitForSessions(sessions, conditions, call, context);
    const terminals = await Promise.all(sessions.map((session, index) => outcomeOf(session, met[index])));
    const timedOut =
      call.mode === 'all' ? terminals.some(one => one.end === null) : terminals.every(one => one.end === null);
    const lines = terminals.map(describe);
    const note = timedOut ? '[the time was up; wait again, or READ]' : '';
    return { output: lines.join('\n'), note, structured: { timed_out: timedOut, terminals } };
  },
});

function sessionsOf(call: Input, context: ToolContext): Session[] {
  const byId = (call.session_ids ?? []).map(id => requireSession({ session_id: id }, context));
  const numbers = call.terminals ?? (byId.length > 0 ? [] : [0]);
  return [...numbers.map(terminal => requireSession({ terminal }, context)), ...byId];
}

function conditionsOf(call: Input): Condition[] {
  return call.until.map(kind => {
    if (kind === 'silence') return { kind, ms: call.silence_seconds * 1000 };
    if (kind !== 'pattern' && kind !== 'screen') return { kind };
    if (!call.pattern)
      throw new GlassError('invalid_input', 'until "pattern" and "screen" need `pattern`, a regular expression.');
    return { kind, pattern: toRegExp(call.pattern) };
  });
}

/** One entry per session, undefined where nothing has come. */
async function waitForSessions(
  sessions: readonly Session[],
  conditions: readonly Condition[],
  call: Input,
  context: ToolContext,
): Promise<(Met | undefined)[]> {
  const timeoutMs = Math.min(call.timeout_seconds * 1000, context.patienceMs);
  const first = sessions[0];
  const progress = first && reportProgress(first, context);
  const others = new AbortController();
  const signal = AbortSignal.any([context.signal, others.signal]);
  const met: (Met | undefined)[] = sessions.map(() => undefined);
  const waits = sessions.map(async (session, index) => {
    met[index] = await waitUntil(session, conditions, timeoutMs, signal);
    // The waits that are left are called off, and their rejection is nobody's concern.
    if (met[index] && call.mode === 'any') others.abort();
  });
  const settled = await Promise.allSettled(waits);
  progress?.dispose();
  const failed = settled.find(one => one.status === 'rejected');
  if (failed && !others.signal.aborted) throw failed.reason;
  return met;
}

async function outcomeOf(session: Session, met: Met | undefined): Promise<Outcome> {
  const facts = await factsOf(session, session.tracker.last);
  return {
    terminal: facts.terminal,
    session_id: facts.session_id,
    end: met?.kind ?? null,
    ...(met?.line !== undefined && { line: met.line.slice(0, 500) }),
    state: facts.state,
    exit_code: facts.exit_code,
    cwd: facts.cwd,
  };
}

function describe(one: Outcome): string {
  const code = one.exit_code === null ? '' : ` · exit code ${one.exit_code}`;
  return `terminal ${one.terminal}: ${one.end ?? 'nothing yet'} · ${one.state}${code}${one.line === undefined ? '' : ` · ${one.line}`}`;
}
