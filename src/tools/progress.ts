import { type Disposable, DisposableStore, toDisposable } from '../base/lifecycle';
import { renderCooked } from '../core/output/render';
import type { Session } from '../core/session/session';
import type { ToolContext } from './tool';

/** Shortest time between two reports, in ms. */
const INTERVAL_MS = 250;
/** Longest time between two reports, in ms: clients give up on a call that stays silent for 60 s. */
const HEARTBEAT_MS = 10_000;
/** How far back the last line is looked for, in bytes. */
const LAST_LINE_BYTES = 2048;

export interface Progress extends Disposable {
  /** There is something new to report. */
  changed(): void;
}

/** Tells the caller how things stand: soon after each change, and now and then without one. */
export function startProgress(context: Pick<ToolContext, 'progress'>, describe: () => string): Progress {
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    context.progress(describe());
  };
  // Time itself is the event here.
  const heartbeat = setInterval(report, HEARTBEAT_MS);
  const stop = toDisposable(() => {
    clearTimeout(timer);
    clearInterval(heartbeat);
  });
  return {
    ...stop,
    changed() {
      timer ??= setTimeout(report, INTERVAL_MS);
    },
  };
}

/** Reports the last line of a session's output as it changes, until disposed. */
export function reportProgress(session: Session, context: Pick<ToolContext, 'progress'>): Disposable {
  const store = new DisposableStore();
  const describe = () => lastOutputLine(session) ?? `${session.name} is running`;
  const progress = store.add(startProgress(context, describe));
  store.add(session.onOutput(() => progress.changed()));
  return store;
}

function lastOutputLine(session: Session): string | undefined {
  const { current } = session.tracker;
  if (!current) return undefined;
  const { from, to } = session.tracker.outputOf(current);
  return lastLine(session.log.read(Math.max(from, to - LAST_LINE_BYTES), to).bytes);
}

/** The last line that is not blank at the end of some output. */
export function lastLine(bytes: Uint8Array): string | undefined {
  const lines = renderCooked(bytes.subarray(-LAST_LINE_BYTES)) ?? [];
  return lines.findLast(line => line.trim() !== '')?.trim();
}
