import { type End, race, timeout } from '../../base/async';
import { LineScanner } from '../output/lineScanner';
import { secretAsked } from './attention';
import type { Session } from './session';
import { silence } from './silence';

/** A full-screen program that has drawn nothing for so long (ms) has drawn its screen. */
const SETTLED_MS = 150;

/** What a wait for a terminal can be for. */
export type Condition =
  | { readonly kind: 'prompt' | 'exit' | 'continuation' | 'keyboard' | 'input' | 'secret' | 'pager' | 'fullscreen' }
  | { readonly kind: 'pattern' | 'screen'; readonly pattern: RegExp }
  | { readonly kind: 'silence'; readonly ms: number };

/** Which condition came, and for a pattern the line in which it was found. */
export interface Met {
  readonly kind: Condition['kind'];
  readonly line?: string;
}

/**
 * Waits until the first of some conditions holds in a session: at once if one does already, else when it comes. A pattern is looked for in the output of the
 * command that runs, or of the last one, and in what follows; for `screen`, in the rows that the screen shows. Without a result when the time (ms) is up. A session that exits, or a
 * program that asks for a secret, ends every wait.
 */
export function waitUntil(
  session: Session,
  conditions: readonly Condition[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Met | undefined> {
  const ends = conditions.map(condition => endOf(session, condition));
  return race<Met | undefined>(
    [...ends, exitEnd(session), secretAsked<Met>(session, { kind: 'secret' }), timeout(timeoutMs, undefined)],
    signal,
  );
}

function endOf(session: Session, condition: Condition): End<Met> {
  switch (condition.kind) {
    case 'pattern':
      return patternEnd(session, condition.pattern);
    case 'screen':
      return screenEnd(session, condition.pattern);
    case 'silence':
      return silence<Met>(session, condition.ms, { kind: 'silence' }, quietSince(session));
    case 'exit':
      return exitEnd(session);
    case 'keyboard':
      return keyboardEnd(session);
    case 'prompt':
    case 'continuation':
      return phaseEnd(session, condition.kind);
    default:
      return stateEnd(session, condition.kind);
  }
}

/** By performance.now(), in ms. A command that has just begun has said nothing yet: what was silent before it was the prompt. */
function quietSince({ tracker, lastOutputAt }: Session): number {
  const { current } = tracker;
  return current ? Math.max(lastOutputAt, performance.now() - (Date.now() - current.startedAt)) : lastOutputAt;
}

function exitEnd(session: Session): End<Met> {
  return (won, store) => {
    if (session.exit) won({ kind: 'exit' });
    else store.add(session.onExit(() => won({ kind: 'exit' })));
  };
}

function phaseEnd(session: Session, phase: 'prompt' | 'continuation'): End<Met> {
  return (won, store) => {
    const look = () => {
      if (session.tracker.phase === phase) won({ kind: phase });
    };
    look();
    store.add(session.tracker.onChange(look));
  };
}

/** The agent may type. */
function keyboardEnd({ keyboard }: Session): End<Met> {
  return (won, store) => {
    const look = () => {
      if (keyboard.holder === 'agent') won({ kind: 'keyboard' });
    };
    store.add(keyboard.onChange(look));
    look();
  };
}

/** `fullscreen` counts when the screen has settled: the program waits, or has drawn nothing for a moment. */
function stateEnd(session: Session, state: 'input' | 'secret' | 'pager' | 'fullscreen'): End<Met> {
  return (won, store) => {
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      clearTimeout(timer);
      if (session.state !== state) return;
      const left = state === 'fullscreen' ? session.lastOutputAt + SETTLED_MS - performance.now() : 0;
      if (left <= 0) won({ kind: state });
      else timer = setTimeout(look, left);
    };
    store.add(session.activity.watch());
    store.add(session.activity.onChange(look));
    store.add({ dispose: () => clearTimeout(timer) });
    look();
  };
}

function patternEnd(session: Session, pattern: RegExp): End<Met> {
  return (won, store) => {
    const scanner = new LineScanner();
    const { last } = session.tracker;
    let from = session.log.start;
    const look = () => {
      // Not in the echo of the command line, which holds whatever the command is going to print.
      if (last) from = Math.max(from, session.tracker.outputOf(last).from);
      const { bytes } = session.log.read(from, session.log.end);
      from = session.log.end;
      const line = scanner.push(bytes).find(text => pattern.test(text));
      if (line !== undefined) won({ kind: 'pattern', line });
    };
    look();
    store.add(session.onOutput(look));
  };
}

/** A row that a person sees at this moment. Output that comes while the screen is drawn is looked at together, afterwards. */
function screenEnd(session: Session, pattern: RegExp): End<Met> {
  return (won, store) => {
    let isLooking = false;
    let isStale = false;
    const look = async () => {
      isStale = isLooking;
      if (isLooking) return;
      isLooking = true;
      await session.screen.flush();
      const line = session.screen.picture().lines.find(text => pattern.test(text));
      isLooking = false;
      if (line !== undefined) won({ kind: 'screen', line });
      else if (isStale) void look();
    };
    void look();
    store.add(session.onOutput(() => void look()));
  };
}
