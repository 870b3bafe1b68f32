import { GlassError } from './errors';
import type { Event } from './event';
import { DisposableStore, toDisposable } from './lifecycle';

/** The error every cancelled call ends with. */
export function cancelled(): GlassError {
  return new GlassError('cancelled', 'The call was cancelled before it finished.');
}

/** An end of a race: arms itself, calls `won` at most once, and puts its cleaning into `store`. */
export type End<T> = (won: (value: T) => void, store: DisposableStore) => void;

/**
 * The first of several named ends, with all of them cleaned up afterwards.
 * Rejects with `cancelled` when `signal` aborts first; an end that has already come wins before a later one is armed.
 */
export function race<T>(ends: readonly End<T>[], signal?: AbortSignal): Promise<T> {
  const store = new DisposableStore();
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    let settled = false;
    const won = (value: T) => {
      settled = true;
      resolve(value);
    };
    if (signal) {
      const onAbort = () => reject(cancelled());
      signal.addEventListener('abort', onAbort, { once: true });
      store.add(toDisposable(() => signal.removeEventListener('abort', onAbort)));
    }
    for (const end of ends) {
      if (settled) return;
      end(won, store);
    }
  }).finally(() => store.dispose());
}

/** An end that comes with the first value of `event` which `pick` maps to something. */
export function onEvent<E, T>(event: Event<E>, pick: (value: E) => T | undefined): End<T> {
  return (won, store) => {
    store.add(
      event(value => {
        const picked = pick(value);
        if (picked !== undefined) won(picked);
      }),
    );
  };
}

/** An end that comes after `ms` milliseconds; never when `ms` is Infinity. */
export function timeout<T>(ms: number, value: T): End<T> {
  return (won, store) => {
    if (ms === Number.POSITIVE_INFINITY) return;
    // setTimeout takes at most 2^31-1 ms; a longer wait would fire at once.
    const timer = setTimeout(() => won(value), Math.min(ms, 0x7fffffff));
    store.add(toDisposable(() => clearTimeout(timer)));
  };
}
