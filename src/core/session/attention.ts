import type { End } from '../../base/async';
import type { Session } from './session';

/** How long (ms) a state has to last before it ends a wait for something else: a full-screen program may only flash by. */
const LASTING_MS: Readonly<Record<string, number>> = { secret: 0, input: 250, pager: 250, fullscreen: 500 };

/**
 * An end that comes when the program in front wants something of whoever is at the keyboard, so that waiting on is in vain. By text alone only a question for a
 * secret counts: a person has to be told of it.
 */
export function attention<T>(session: Session, value: T): End<T> {
  return (won, store) => {
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      clearTimeout(timer);
      const { judgement, since } = session.activity;
      const lasting = judgement && LASTING_MS[judgement.activity];
      if (lasting === undefined || (judgement?.confidence !== 'kernel' && judgement?.activity !== 'secret')) return;
      const left = since + lasting - performance.now();
      if (left <= 0) won(value);
      else timer = setTimeout(look, left);
    };
    store.add(session.activity.watch());
    store.add(session.activity.onChange(look));
    store.add({ dispose: () => clearTimeout(timer) });
    look();
  };
}

/** As `attention`, for a secret only. */
export function secretAsked<T>(session: Session, value: T): End<T> {
  return (won, store) => {
    const look = () => {
      if (session.state === 'secret') won(value);
    };
    store.add(session.activity.watch());
    store.add(session.activity.onChange(look));
    look();
  };
}

/** Silence (ms) after which a program that waits for the terminal among other things is taken to have nothing more to say. */
const POLLING_MS = 300;

/**
 * An end that comes when the program has taken what was sent and waits for more: at once when it is blocked in a read, a little later when it may be woken by
 * something else, too.
 */
export function awaitsMore<T>(session: Session, value: T): End<T> {
  return (won, store) => {
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      clearTimeout(timer);
      const { judgement, look: seen, since } = session.activity;
      if (judgement?.confidence !== 'kernel' || judgement.activity === 'running') return;
      if (seen?.wait === 'reads' && !seen.isTimed) return won(value);
      const left = Math.max(since, session.lastOutputAt) + POLLING_MS - performance.now();
      if (left <= 0) won(value);
      else timer = setTimeout(look, left);
    };
    store.add(session.activity.watch());
    store.add(session.activity.onChange(look));
    store.add(session.onOutput(look));
    store.add({ dispose: () => clearTimeout(timer) });
    look();
  };
}
