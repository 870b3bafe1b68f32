import { type End, race, timeout } from '../../base/async';
import type { Command } from '../shell/commandTracker';
import { awaitsMore, secretAsked } from './attention';
import type { Session } from './session';
import { silence } from './silence';

/** Why a two-phase wait returned: output has paused, the command or shell ended, the program waits for more, nothing came at all, or the total time was up. */
export type QuietEnd = 'pause' | 'finished' | 'exited' | 'awaits' | 'nothing' | 'timeout';

export interface QuietOptions {
  /** The command whose end ends the wait; undefined at a prompt. */
  readonly command: Command | undefined;
  /** Offset of the log from which output counts. */
  readonly since: number;
  /** Silence since the last output that counts as a pause, in ms. */
  readonly pauseMs: number;
  /** Longest wait, in ms. */
  readonly totalMs: number;
  readonly signal: AbortSignal;
}

/**
 * interminal's two-phase wait. First, while nothing has come yet, at most pauseMs + 1 s for the first byte: if none comes the silence is already long
 * enough. Then until output has paused for pauseMs. Either phase ends with the command that runs, with the shell, or with totalMs; and, in a terminal, as soon
 * as the kernel says that the program waits for input. Of a command by itself only a question for a secret ends it: interminal's times hold to the letter.
 */
export async function waitForQuiet(session: Session, options: QuietOptions): Promise<QuietEnd> {
  const { command, pauseMs, totalMs, since, signal } = options;
  const started = performance.now();
  const awaits =
    session.kind === 'command' ? secretAsked<QuietEnd>(session, 'awaits') : awaitsMore<QuietEnd>(session, 'awaits');
  if (session.log.end <= since) {
    const firstMs = Math.min(pauseMs + 1000, totalMs);
    const end = await race<QuietEnd | 'output'>(
      [ended(session, command), awaits, firstOutput(session), timeout(firstMs, 'nothing')],
      signal,
    );
    if (end !== 'output') return end;
  }
  const left = Math.max(0, totalMs - (performance.now() - started));
  return race<QuietEnd>(
    [ended(session, command), awaits, silence<QuietEnd>(session, pauseMs, 'pause'), timeout(left, 'timeout')],
    signal,
  );
}

function ended(session: Session, command: Command | undefined): End<'finished' | 'exited'> {
  return (won, store) => {
    if (session.exit) return won('exited');
    if (command?.endedAt !== undefined) return won('finished');
    store.add(session.onExit(() => won('exited')));
    store.add(session.tracker.onCommandEnd(one => one === command && !session.exit && won('finished')));
  };
}

function firstOutput(session: Session): End<'output'> {
  return (won, store) => store.add(session.onOutput(() => won('output')));
}
