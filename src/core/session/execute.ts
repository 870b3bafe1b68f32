import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type End, onEvent, race, timeout } from '../../base/async';
import { GlassError } from '../../base/errors';
import { count } from '../output/excerpt';
import type { Command } from '../shell/commandTracker';
import { type ShellTraits, trimLeadingComments } from '../shell/shells';
import { attention } from './attention';
import { assertKeyboard } from './mayType';
import { CTRL_C } from './press';
import type { Session } from './session';
import { silence } from './silence';

/**
 * Why `execute` returned: the command ended; the shell ended with it; the shell wants the rest of the command line; the program waits for somebody at the
 * keyboard; the time was up; or, where the shell gives no marks, its output has been silent for a while, which says nothing certain.
 */
export type ExecuteEnd = 'finished' | 'exited' | 'continuation' | 'attention' | 'timeout' | 'silence';

export interface ExecuteOptions {
  /** How long to wait for the end, in ms; 0 returns as soon as the command is sent, Infinity waits for ever. */
  readonly timeoutMs: number;
  /** Clear the visible screen first; the log keeps everything. */
  readonly clear: boolean;
  readonly signal: AbortSignal;
}

export interface Execution {
  readonly end: ExecuteEnd;
  readonly command: Command;
}

/** Silence (ms) after which a command in a shell without marks is reported on. */
const SILENCE_MS = 1500;
/** Longest text (characters) that is pasted: line editors take more than a second for 100 KB, and show all of it. */
const MAX_PASTED = 8192;
/** A line that a shell without bracketed paste gets typed, in characters: the canonical mode of macOS cuts at 1,024 bytes. */
const MAX_TYPED = 500;

/**
 * Runs a command line at the session's prompt and waits for its end. Throws `terminal_busy`, `human_typing`, `terminal_exited`,
 * `invalid_command` or `cancelled`; cancelling also interrupts the command, as ctrl+c does.
 */
export async function execute(session: Session, text: string, options: ExecuteOptions): Promise<Execution> {
  const line = checked(text, session.traits);
  await session.ready(options.signal);
  if (session.tracker.current) await session.activity.refresh();
  assertFree(session);
  if (options.clear) session.screen.clear();
  const delivery = await deliver(session, line);
  try {
    // The file took a moment to write: somebody may have been quicker.
    assertFree(session);
    const command = session.submit(line, delivery.sequence);
    if (options.timeoutMs === 0) return { end: 'timeout', command };
    return { end: await waitForEnd(session, command, options), command };
  } catch (error) {
    delivery.discard();
    throw error;
  }
}

/** Waits for a command that runs already; the same ends as `execute`. Cancelling leaves the command alone. */
export function waitForCommand(
  session: Session,
  command: Command,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ExecuteEnd> {
  const ends: End<ExecuteEnd>[] = [
    (won, store) => {
      if (session.exit) won('exited');
      else if (command.endedAt !== undefined) won('finished');
      else if (session.tracker.phase === 'continuation') won('continuation');
      else {
        store.add(session.onExit(() => won('exited')));
        store.add(session.tracker.onCommandEnd(ended => ended.id === command.id && !session.exit && won('finished')));
      }
    },
    onEvent(session.tracker.onChange, () => (session.tracker.phase === 'continuation' ? 'continuation' : undefined)),
    attention(session, 'attention'),
    timeout(timeoutMs, 'timeout'),
  ];
  if (session.integration === 'none') ends.push(silence(session, SILENCE_MS, 'silence', performance.now()));
  return race(ends, signal);
}

async function waitForEnd(session: Session, command: Command, options: ExecuteOptions): Promise<ExecuteEnd> {
  try {
    return await waitForCommand(session, command, options.timeoutMs, options.signal);
  } catch (error) {
    if (options.signal.aborted && command.endedAt === undefined && !session.exit) session.write(CTRL_C);
    throw error;
  }
}

function checked(text: string, traits: ShellTraits): string {
  // Blanks at the end stay: `echo a\ ` means one.
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  const line = traits.historyPrefix === '' ? lines : trimLeadingComments(lines);
  if (line.trim() === '')
    throw new GlassError('invalid_command', 'The command is empty. Give the command line to run.');
  if (line.includes('\0')) {
    throw new GlassError(
      'invalid_command',
      'The command contains a NUL character, which no shell accepts. Leave it out.',
    );
  }
  return line;
}

function assertFree(session: Session): void {
  if (session.exit) throw session.exitedError();
  const { current, phase } = session.tracker;
  const { name } = session;
  assertKeyboard(session);
  // Without marks nobody knows whether something runs; the result of the last command said so.
  if (session.integration === 'none' || (!current && phase === 'prompt')) return;
  const what = current?.text.split('\n')[0] || 'a command';
  const seconds = Math.round((Date.now() - (current?.startedAt ?? Date.now())) / 1000);
  const running = `${name[0]?.toUpperCase()}${name.slice(1)} has been running \`${what}\` for ${count(seconds, 'second')}`;
  const message =
    phase === 'continuation'
      ? `The shell in ${name} waits for the rest of \`${what}\`. Send ctrl+c by send_control to give that up, or use another terminal number.`
      : `${running}${remedy(session)}, KILL it, or use another terminal number.`;
  throw new GlassError('terminal_busy', message, {
    command: what,
    command_id: current?.id,
    running_seconds: seconds,
    state: session.state,
    process: session.activity.program,
  });
}

/** What is in front, and what would help. */
function remedy({ state, activity }: Session): string {
  const who = activity.look?.foreground.at(-1)?.name ?? 'a program';
  switch (state) {
    case 'pager':
      return `, and ${who} shows a page of it. Leave that by respond "q" with enter false`;
    case 'fullscreen':
      return `, and ${who} has the screen. Look by read_output view=screen, quit it with its own keys`;
    case 'input':
      return `, and ${who} waits for input. Answer it by respond, stop it by send_control ctrl+c`;
    case 'secret':
      return `, and ${who} waits for a password, which the person types. Give it up by send_control ctrl+c`;
    default:
      return '. READ it, stop it by send_control ctrl+c';
  }
}

interface Delivery {
  readonly sequence: string;
  /** Removes what was prepared and will not be used. */
  discard(): void;
}

/**
 * The bytes that put `text` on the command line and submit it. What the line editor can take as one paste is pasted; what would be read line by
 * line, cut by the tty's canonical mode, or taken for keys goes through a file that the shell sources and that is removed by then.
 */
async function deliver(session: Session, text: string): Promise<Delivery> {
  const { traits, version } = session;
  const hasControls = /[\x00-\x08\x0b-\x1f\x7f]/.test(text);
  const isPastable = !hasControls && text.length <= MAX_PASTED && (!text.includes('\n') || traits.pastesLines(version));
  if (session.takesPaste && isPastable) {
    return { sequence: `${traits.historyPrefix}\x1b[200~${text.replace(/\n/g, '\r')}\x1b[201~\r`, discard() {} };
  }
  if (!hasControls && !/[\t\n]/.test(text) && text.length <= MAX_TYPED && traits.typesLine(text, session.cols)) {
    return { sequence: `${traits.historyPrefix}${text}\r`, discard() {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'glass-tty-'));
  const file = join(folder, 'command');
  await writeFile(file, `${text}\n`, { mode: 0o600 });
  // The session is free, so the next command that ends is this one; a shell that ends, ends it, too.
  const subscription = session.tracker.onCommandEnd(() => remove());
  const remove = () => {
    subscription.dispose();
    void rm(folder, { recursive: true, force: true });
  };
  return { sequence: `${traits.historyPrefix}${traits.sourceFile(file)}\r`, discard: remove };
}
