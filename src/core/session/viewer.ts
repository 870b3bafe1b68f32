import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle';
import type { Session } from './session';

/** The far end of a viewer: it shows data and says by `acknowledge` how much of it has been shown. */
export interface ViewerSink {
  data(text: string): void;
  size(cols: number, rows: number): void;
}

/** Output is gathered for one frame (ms) before it is sent. */
const FRAME_MS = 16;
/** Characters sent and not yet acknowledged above which nothing more is sent … */
const MAX_UNACKNOWLEDGED = 256 * 1024;
/** … and waiting characters above which they are thrown away for a fresh picture of the screen. */
const MAX_WAITING = 512 * 1024;
/** Home, and erase the screen: what a picture is drawn on. The scrollback stays. */
const BLANK = '\x1b[0m\x1b[H\x1b[2J';

/**
 * A replica's feed: the session's screen as it is, then every change. A replica that cannot keep up gets the newest screen instead of all that it
 * missed, so that neither side ever holds more than a bounded amount.
 */
export class Viewer implements Disposable {
  private readonly session: Session;
  private readonly sink: ViewerSink;
  private readonly store = new DisposableStore();
  private waiting = '';
  private unacknowledged = 0;
  private timer: NodeJS.Timeout | undefined;
  /** What was sent is not the screen any more; only a picture can put it right. */
  private stale = false;

  constructor(session: Session, sink: ViewerSink) {
    this.session = session;
    this.sink = sink;
    this.store.add(toDisposable(() => clearTimeout(this.timer)));
  }

  /** Calls back with what an empty terminal must be fed to show the session, and sends every change after it. */
  start(ready: (replay: string) => void): void {
    const { screen } = this.session;
    screen.whenSettled(() => {
      if (this.store.isDisposed) return;
      this.store.add(
        screen.onUpdate(update => {
          if (update.kind === 'size') this.sink.size(update.cols, update.rows);
          else if (update.kind === 'skipped') this.missed();
          else this.add(update.data);
        }),
      );
      ready(screen.snapshot());
    });
  }

  /** The far end has shown this many characters. */
  acknowledge(characters: number): void {
    this.unacknowledged = Math.max(0, this.unacknowledged - characters);
    if (this.waiting !== '' || this.stale) this.schedule();
  }

  private add(text: string): void {
    if (this.stale) return;
    this.waiting += text;
    if (this.waiting.length > MAX_WAITING) this.missed();
    else this.schedule();
  }

  private missed(): void {
    this.stale = true;
    this.waiting = '';
    this.schedule();
  }

  private schedule(): void {
    if (this.unacknowledged <= MAX_UNACKNOWLEDGED) this.timer ??= setTimeout(() => this.send(), FRAME_MS);
  }

  private send(): void {
    this.timer = undefined;
    if (!this.stale) return this.emit();
    this.session.screen.whenSettled(() => {
      this.stale = false;
      this.waiting = BLANK + this.session.screen.snapshot(0);
      this.emit();
    });
  }

  private emit(): void {
    if (this.store.isDisposed || this.waiting === '') return;
    const text = this.waiting;
    this.waiting = '';
    this.unacknowledged += text.length;
    this.sink.data(text);
  }

  dispose(): void {
    this.store.dispose();
  }
}
