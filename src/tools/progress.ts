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

/** Reports the last line of a session's output to the caller as it changes, until disposed. */
export function reportProgress(session: Session, context: Pick<ToolContext, 'progress'>): Disposable {
  const store = new DisposableStore();
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    context.progress(lastLine(session) || `terminal ${session.number} is running`);
  };
  store.add(
    session.onOutput(() => {
      timer ??= setTimeout(report, INTERVAL_MS);
    }),
  );
  // Time itself is the event here.
  const heartbeat = setInterval(report, HEARTBEAT_MS);
  store.add(
    toDisposable(() => {
      clearTimeout(timer);
      clearInterval(heartbeat);
    }),
  );
  return store;
}

function lastLine(session: Session): string {
  const { current } = session.tracker;
  const start = current ? session.tracker.outputOf(current).from : session.log.end;
  const from = Math.max(start, session.log.end - LAST_LINE_BYTES);
  const lines = renderCooked(session.log.read(from, session.log.end).bytes) ?? [];
  return lines.findLast(line => line !== '') ?? '';
}
