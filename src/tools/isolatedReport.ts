import { z } from 'zod';
import { count, excerpt } from '../core/output/excerpt';
import type { OutputLog } from '../core/output/outputLog';
import { pipedText } from '../core/output/piped';
import type { IsolatedRun } from '../core/session/runIsolated';
import { leftOut } from './report';

const missing = z.number().int().optional().describe('Bytes at the beginning that were not kept.');

export const isolatedFacts = {
  command: z.string().describe('As given; a long one is cut in the middle.'),
  return_code: z.number().int().nullable().describe('Null when the time was up or a signal ended the command.'),
  stdout: z.string(),
  stderr: z.string(),
  execution_time: z.number().describe('Seconds.'),
  working_directory: z.string(),
  timed_out: z.boolean().describe('The time was up, and the command was ended with everything it had started.'),
  signal: z.string().optional().describe('The signal that ended the command.'),
  stdout_bytes: z.number().int().describe('All that the command wrote.'),
  stderr_bytes: z.number().int(),
  stdout_lines: z.number().int(),
  stderr_lines: z.number().int(),
  stdout_left_out: leftOut.optional(),
  stderr_left_out: leftOut.optional(),
  stdout_missing_bytes: missing,
  stderr_missing_bytes: missing,
  left_behind: z.boolean().optional().describe('A background process that the command left has its output open.'),
  survivors: z.array(z.string()).optional().describe('Processes that could not be ended when the time was up.'),
};

export type IsolatedFacts = z.input<z.ZodObject<typeof isolatedFacts>>;

/** Characters of the whole structured result as JSON: VS Code replaces a result above 8,192 by a file pointer, so it stays below 7,500. */
const RESULT_BUDGET = 7400;
const COMMAND_BUDGET = 1000;
/** Room for the counts of what is left out, two times. */
const COUNTS_ROOM = 400;

/** The structured result of a command: everything, as far as the budget goes. `captured` false leaves the texts empty. */
export async function isolatedFactsOf(
  command: string,
  cwd: string,
  run: IsolatedRun,
  captured: boolean,
): Promise<IsolatedFacts> {
  const { exit, timedOut, survivors } = run;
  const [out, err] = [await streamOf(run.stdout), await streamOf(run.stderr)];
  const facts: IsolatedFacts = {
    command: excerpt(command.split('\n'), { budget: COMMAND_BUDGET, maxLines: 0, howToRead: () => 'as given' }).text,
    return_code: timedOut ? null : (exit.code ?? null),
    stdout: '',
    stderr: '',
    execution_time: Math.round(run.durationMs) / 1000,
    working_directory: cwd,
    timed_out: timedOut,
    ...(exit.signal !== undefined && { signal: exit.signal }),
    stdout_bytes: run.stdout.end,
    stderr_bytes: run.stderr.end,
    stdout_lines: out.lines.length,
    stderr_lines: err.lines.length,
    ...(out.missing > 0 && { stdout_missing_bytes: out.missing }),
    ...(err.missing > 0 && { stderr_missing_bytes: err.missing }),
    ...(run.leftBehind && { left_behind: true }),
    ...(survivors.length > 0 && { survivors: survivors.map(one => `${one.command} (pid ${one.pid})`).slice(0, 10) }),
  };
  return captured ? { ...facts, ...textsOf(out, err, RESULT_BUDGET - COUNTS_ROOM - cost(facts)) } : facts;
}

/** One line about how it went, behind the output. */
export function isolatedNote(facts: IsolatedFacts): string {
  const time = `${facts.execution_time} s`;
  const how = facts.timed_out
    ? `timed out: ended after ${time} with everything it had started`
    : facts.return_code === null
      ? `ended by ${facts.signal ?? 'an unknown cause'} after ${time}`
      : `return code ${facts.return_code} after ${time}`;
  const parts = [how, facts.working_directory];
  for (const stream of ['stdout', 'stderr'] as const) {
    const bytes = facts[`${stream}_missing_bytes`];
    if (bytes) parts.push(`the first ${count(bytes, 'byte')} of ${stream} were not kept`);
  }
  if (facts.left_behind) {
    parts.push(
      'it left a process in the background, whose output nobody reads any more; for servers use terminal with await_completion_ms 0',
    );
  }
  if (facts.survivors) parts.push(`still there: ${facts.survivors.join(', ')}`);
  return `[${parts.join(' · ')}]`;
}

interface StreamText {
  readonly lines: readonly string[];
  readonly endsLine: boolean;
  readonly missing: number;
}

async function streamOf(log: OutputLog): Promise<StreamText> {
  const { bytes, missing } = log.read(0, log.end);
  return { ...(await pipedText(bytes)), missing };
}

/** Both texts in `room` characters of JSON. Standard error is mostly the shorter one, and has up to half if both are long. */
function textsOf(out: StreamText, err: StreamText, room: number) {
  const errRoom = Math.min(needs(err), Math.max(Math.floor(room / 2), room - needs(out)));
  const stderr = shown(err, errRoom);
  const stdout = shown(out, room - errRoom);
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    ...(stdout.leftOut && { stdout_left_out: stdout.leftOut }),
    ...(stderr.leftOut && { stderr_left_out: stderr.leftOut }),
  };
}

function shown({ lines, endsLine }: StreamText, budget: number) {
  const { text, leftOut: omitted } = excerpt(lines, {
    budget,
    maxLines: 0,
    howToRead: () => 'to read them, run it with its output in a file',
  });
  const counts = omitted && {
    from_line: omitted.from,
    to_line: omitted.to,
    lines: omitted.lines,
    characters: omitted.characters,
  };
  return { text: endsLine && text !== '' ? `${text}\n` : text, leftOut: counts };
}

/** Characters that a text takes in an excerpt; more than a result can have is all the same. */
function needs({ lines }: StreamText): number {
  let sum = 0;
  for (const line of lines) {
    if (sum > RESULT_BUDGET) break;
    sum += line.length > RESULT_BUDGET ? line.length : cost(line);
  }
  return sum;
}

function cost(value: unknown): number {
  return JSON.stringify(value).length;
}
