import type { End } from '../../base/async';
import type { Session } from './session';

/**
 * An end that comes when a session's output has been silent for `ms`. Silence counts from its last output, so that one which has been silent for long
 * enough is so at once, or from `since` (by performance.now()).
 */
export function silence<T>(session: Session, ms: number, value: T, since = session.lastOutputAt): End<T> {
  return (won, store) => {
    let timer: NodeJS.Timeout | undefined;
    const restart = (left: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => won(value), left);
    };
    restart(Math.max(0, ms - (performance.now() - since)));
    store.add(session.onOutput(() => restart(ms)));
    store.add({ dispose: () => clearTimeout(timer) });
  };
}
