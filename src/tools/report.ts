import { z } from 'zod';
import { DEFAULT_BUDGET, type Excerpt, excerpt } from '../core/output/excerpt';
import { renderText } from '../core/output/render';
import type { ExecuteEnd } from '../core/session/execute';
import type { Owner } from '../core/session/owner';
import type { Session, SessionState } from '../core/session/session';
import type { Command } from '../core/shell/commandTracker';
import { pictureText, type ScreenFacts, screenNotes } from './screenReport';

const ENTER_ALTERNATE = Buffer.from('\x1b[?1049h');

/** All states of a terminal. */
export const states = [
  'starting',
  'prompt',
  'running',
  'input',
  'secret',
  'pager',
  'fullscreen',
  'continuation',
  'exited',
] as const satisfies readonly SessionState[];

/** Which lines of some output a result does not have. */
export const leftOut = z
  .object({
    from_line: z.number().int(),
    to_line: z.number().int(),
    lines: z.number().int(),
    characters: z.number().int(),
  })
  .describe('The lines that are not in the text.');

/** The facts about a terminal that are in every reply of a tool that looks at one. */
export const terminalFacts = {
  terminal: z.number().int().optional().describe('Missing for a command that runs by itself.'),
  session_id: z.string(),
  state: z.enum(states),
  confidence: z.enum(['kernel', 'marks', 'text']).describe('How the state is known; `text` is a guess.'),
  process: z.string().optional().describe('The program in front, with what started it.'),
  ports: z.array(z.number().int()).optional().describe('TCP ports on which what runs listens.'),
  keyboard: z.literal('person').optional().describe('A person is typing, or has taken over.'),
  command_by: z.literal('person').optional().describe('A person ran the command.'),
  cwd: z.string(),
  completed: z.boolean().describe('False while the command is running.'),
  exit_code: z.number().int().nullable().describe('Null while it is not known.'),
  duration_ms: z.number().int(),
  command_id: z.string().optional(),
  signal: z.string().optional().describe('The signal that ended the shell.'),
  shell_integration: z.enum(['prompt', 'none']).optional().describe('Present when the shell tells less than usual.'),
  output: z.string(),
  total_lines: z.number().int(),
  left_out: leftOut.optional(),
  missing_bytes: z.number().int().optional().describe('Bytes at the beginning of the output that are no longer kept.'),
};

export type TerminalFacts = z.input<z.ZodObject<typeof terminalFacts>>;

/** Everything but the text: what the terminal is doing, at this moment, and how `command` went. */
export async function factsOf(
  session: Session,
  command: Command | undefined,
): Promise<Omit<TerminalFacts, 'output' | 'total_lines'>> {
  const [isConfirmed, ports] = await lookAtProgram(session);
  const program = isBusyState(session.state) ? session.activity.program : undefined;
  const exitCode = command ? command.exitCode : session.exit?.code;
  const signal = session.exit?.signal ?? command?.signal;
  const end = command?.endedAt ?? Date.now();
  return {
    ...(session.number !== undefined && { terminal: session.number }),
    session_id: session.id,
    state: session.state,
    confidence: isConfirmed ? ('kernel' as const) : session.confidence,
    ...(program !== undefined && { process: program }),
    ...(ports.length > 0 && { ports }),
    ...(session.keyboard.holder === 'person' && { keyboard: 'person' as const }),
    ...(command?.by === 'person' && { command_by: 'person' as const }),
    cwd: session.tracker.cwd,
    completed: command ? command.endedAt !== undefined : session.state === 'prompt' || session.state === 'exited',
    exit_code: exitCode ?? null,
    duration_ms: command ? end - command.startedAt : 0,
    ...(command && { command_id: command.id }),
    ...(signal !== undefined && { signal }),
    ...(session.integration !== 'full' && { shell_integration: session.integration }),
  };
}

/** Asks the kernel: whether it confirms that the shell waits for the rest of a line, which else only marks say, and the ports on which what runs listens. */
async function lookAtProgram(session: Session): Promise<readonly [boolean, number[]]> {
  await session.activity.refresh();
  if (session.state === 'continuation') return [await session.activity.isShellWaiting(), []];
  return [false, isBusyState(session.state) ? session.activity.ports() : []];
}

function isBusyState(state: SessionState): boolean {
  return state !== 'prompt' && state !== 'starting' && state !== 'continuation' && state !== 'exited';
}

/** The output of one command under the budget, from line `fromLine` on. */
export async function commandText(session: Session, command: Command, tail: number, fromLine = 1) {
  const { from: start, to } = session.tracker.outputOf(command);
  const range = session.log.read(start, to);
  const lines = await renderText(range.bytes, session);
  const shown = excerpt(lines.slice(fromLine - 1), {
    budget: DEFAULT_BUDGET,
    maxLines: tail,
    firstLine: fromLine,
    howToRead: from => `READ with command_id=${command.id} from_line=${from}`,
  });
  const hole = range.missing > 0 ? { missing_bytes: range.missing } : {};
  return { ...textFields({ ...shown, totalLines: lines.length }), ...hole };
}

interface Saying {
  readonly reader: Owner;
  /** What ran at `since`; its end is the end of what is reported, before the prompt. */
  readonly command: Command | undefined;
  /** Whether a full-screen program had the screen at `since`. */
  readonly wasAlternate?: boolean;
}

/**
 * What the terminal has printed since this offset of its log, under the budget. A full-screen program draws what has changed, and no more: while one has the
 * screen, it is the whole screen.
 */
export async function saidSince(session: Session, since: number, { reader, command, wasAlternate }: Saying) {
  await session.screen.flush();
  const isOver = command?.endedAt !== undefined;
  if (session.screen.isAlternate && !isOver) return pictureText(session, reader);
  const to = isOver ? Math.max(since, session.tracker.outputOf(command).to) : session.log.end;
  const { bytes, missing } = session.log.read(since, to);
  // What was drawn on the alternate screen goes with it, and must not mix with what is printed afterwards.
  const lines = await renderText(wasAlternate ? Buffer.concat([ENTER_ALTERNATE, bytes]) : bytes, session);
  const shown = excerpt(lines, { budget: DEFAULT_BUDGET, maxLines: 0, howToRead: () => 'READ shows the terminal' });
  const hole = missing > 0 ? { missing_bytes: missing } : {};
  return { ...textFields(shown), ...hole };
}

/** What the terminal shows, with prompts and whatever was typed: the last `tail` lines under the budget. */
export async function screenText(session: Session, tail: number) {
  await session.screen.flush();
  const { lines, total } = session.screen.text(tail);
  const first = total - lines.length + 1;
  const shown = excerpt(lines, {
    budget: DEFAULT_BUDGET,
    maxLines: 0,
    firstLine: first,
    howToRead: () => 'READ with command_id for the output of one command',
  });
  return textFields({ ...shown, totalLines: total });
}

function textFields({ text, totalLines, leftOut: omitted }: Excerpt) {
  return {
    output: text,
    total_lines: totalLines,
    ...(omitted && {
      left_out: { from_line: omitted.from, to_line: omitted.to, lines: omitted.lines, characters: omitted.characters },
    }),
  };
}

/** One line about a terminal for the model, behind the output it is about. */
export function noteOn(
  facts: Omit<TerminalFacts, 'output' | 'total_lines'> & { readonly screen?: ScreenFacts },
  more: readonly string[] = [],
): string {
  const parts = [facts.terminal === undefined ? 'command' : `terminal ${facts.terminal}`, howItWent(facts), facts.cwd];
  if (facts.shell_integration === 'none')
    parts.push('this shell gives no marks: its exit codes and ends are not known');
  if (facts.command_by) parts.push('a person ran this');
  if (facts.ports) parts.push(`listens on ${facts.ports.map(port => `:${port}`).join(' ')}`);
  if (facts.keyboard) parts.push('a person has the keyboard: wait until "keyboard" before you type');
  if (facts.missing_bytes) parts.push(`the first ${facts.missing_bytes} bytes of the output are no longer kept`);
  if (facts.screen) parts.push(...screenNotes(facts.screen));
  return `[${[...parts, ...more].join(' · ')}]`;
}

function howItWent(facts: Omit<TerminalFacts, 'output' | 'total_lines'>): string {
  if (facts.state === 'exited') {
    return facts.signal ? `the shell was ended by ${facts.signal}` : `the shell exited with code ${facts.exit_code}`;
  }
  const time = `${facts.duration_ms.toLocaleString('en-US')} ms`;
  if (facts.state === 'continuation') return 'the shell waits for the rest of the command line';
  if (!facts.completed) return [doing(facts), `running for ${time}`].filter(Boolean).join(' · ');
  return facts.exit_code === null ? 'at the prompt' : `exit code ${facts.exit_code} after ${time}`;
}

/** What a program that runs does, and how to go on with it. */
function doing({ state, process }: Pick<TerminalFacts, 'state' | 'process'>): string {
  const who = process?.split(' ')[0] ?? 'the program';
  switch (state) {
    case 'input':
      return `${who} waits for input: answer it by respond`;
    case 'secret':
      return `${who} asks for a password or another secret: do not ask for it in the chat and do not type it; the person types it into the terminal, wait for that`;
    case 'pager':
      return `${who} shows a page: send_control space goes on, respond "q" with enter false leaves it`;
    case 'fullscreen':
      return `${who} has the screen: read_output view=screen shows it`;
    default:
      return '';
  }
}

/** What to do when `execute` came back before the command did. */
export function adviceAfter(end: ExecuteEnd): readonly string[] {
  switch (end) {
    case 'timeout':
      return ['it goes on: READ shows more, respond answers it, send_control ctrl+c stops it'];
    case 'continuation':
      return ['an unclosed quote, heredoc or block: respond with the rest, or give it up by send_control ctrl+c'];
    case 'silence':
      return ['silent for a while, perhaps finished: READ shows more'];
    default:
      return [];
  }
}
