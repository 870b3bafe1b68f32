import { race, timeout } from '../../base/async';
import { Emitter } from '../../base/event';
import { type Disposable, toDisposable } from '../../base/lifecycle';
import { describeForeground, type Judgement, judge, type ScreenFacts, SILENT_MS } from '../process/activity';
import { type Look, lookAt, portsOf } from '../process/look';

/** Silence (ms) after which the kernel is asked. */
const SETTLE_MS = 40;
/** Least time (ms) between two looks that output brings, while somebody waits for what comes, or nobody does. */
const GAP_MS = { watched: 100, unwatched: 500 } as const;
/** Time (ms) between two looks where there is no output, while somebody waits. Also the longest that output without a pause puts a look off. */
const SAMPLE_MS = 250;
/** Looks in a row for a program that is about to wait. */
const MAX_PATIENCE = 12;

/** Looks in a row, when what was seen does not belong together. */
const MAX_LOOKS = 3;

/** Where the answers are from. */
export interface ActivitySource {
  /** Of the terminal's session leader; undefined without a process of this machine's. */
  readonly pid: number | undefined;
  readonly tty: string | undefined;
  /** False where nothing is to be found out. */
  readonly isWatched: boolean;
  /** Something runs, and has begun to: before that it is the shell's line editor that reads. */
  readonly hasBegun: boolean;
  /** Resolves when the screen shows all output. */
  screenFacts(): Promise<ScreenFacts>;
  /** Bytes printed so far. */
  readonly printed: number;
  /** By performance.now(), in ms. */
  readonly lastOutputAt: number;
}

/**
 * What the program in front of a session does. The kernel has no events for that, so it is asked: when output has paused, when somebody wants to know, and
 * again and again only while somebody waits for it. Nothing is asked of a session at its prompt.
 */
export class ActivityWatch implements Disposable {
  private readonly source: ActivitySource;
  private readonly changed = new Emitter<void>();
  readonly onChange = this.changed.event;
  /** Of what runs now; undefined until it is known. */
  judgement: Judgement | undefined;
  /** The last look that `judgement` is made from. */
  look: Look | undefined;
  /** By performance.now(), when the program was first seen as it is. */
  since = 0;

  private watchers = 0;
  private timer: NodeJS.Timeout | undefined;
  private dueBy = 0;
  private lastLookAt = 0;
  private underWay: Promise<void> | undefined;
  /** Counts what makes a look that is under way worthless. */
  private epoch = 0;
  /** Bytes that had been printed when `judgement` was made. */
  private judgedAt = 0;
  private isDisposed = false;

  constructor(source: ActivitySource) {
    this.source = source;
  }

  /** The program in front, with what started it. */
  get program(): string | undefined {
    return this.look && describeForeground(this.look);
  }

  /** Something was typed, or something else runs now: what was known is over. */
  reset(): void {
    this.epoch++;
    this.update(undefined, undefined);
    this.schedule(0);
  }

  /** Something was printed. */
  printed(): void {
    if (this.source.hasBegun) this.schedule(this.watchers > 0 ? GAP_MS.watched : GAP_MS.unwatched);
  }

  /** Looks now. What is known afterwards is not older than this call. */
  async refresh(): Promise<void> {
    await this.underWay;
    if (this.source.hasBegun) await this.lookOnce();
  }

  /** Whether the shell itself is in front, and waits for input. */
  async isShellWaiting(): Promise<boolean> {
    const look = await this.lookNow();
    return look?.isRootInFront === true && look.wait !== 'works';
  }

  /** The TCP ports on which the session's processes listen, as far as that can be known. */
  ports(): number[] {
    const { pid } = this.source;
    return pid === undefined || this.source.tty === undefined ? [] : portsOf(pid);
  }

  private lookNow(): Promise<Look | undefined> {
    const { pid, tty } = this.source;
    return pid === undefined || tty === undefined ? Promise.resolve(undefined) : lookAt(pid, tty);
  }

  /** Resolves when whatever is in front, be it the shell's line editor, waits for input, or after a moment if that cannot be known. */
  async whenWaiting(): Promise<void> {
    for (let attempt = 0; attempt < MAX_PATIENCE && !this.isDisposed; attempt++) {
      const look = await this.lookNow();
      if (look && look.wait !== 'works') return;
      await race([timeout(SETTLE_MS, undefined)]);
    }
  }

  /** Looks on by itself until the result is disposed. */
  watch(): Disposable {
    this.watchers++;
    this.schedule(GAP_MS.watched);
    return toDisposable(() => {
      this.watchers--;
    });
  }

  /** A look when all is quiet, but not within `gap` ms of the last one. */
  private schedule(gap: number): void {
    const now = performance.now();
    if (!this.timer) this.dueBy = now + SAMPLE_MS;
    this.lookAfter(Math.max(Math.min(now + SETTLE_MS, this.dueBy), this.lastLookAt + gap) - now);
  }

  private lookAfter(ms: number): void {
    if (this.isDisposed || !this.source.isWatched) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.lookOnce().then(() => {
        if (this.source.hasBegun && (this.watchers > 0 || this.isUnsettled) && !this.timer) this.lookAfter(SAMPLE_MS);
      });
    }, ms);
    this.timer.unref();
  }

  /** Silence alone may change the judgement. */
  private get isUnsettled(): boolean {
    const isTimed = this.look?.isTimed === true && this.look.wait !== 'works';
    return isTimed && this.lastLookAt - this.source.lastOutputAt < SILENT_MS;
  }

  private lookOnce(): Promise<void> {
    this.underWay ??= this.ask().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  private async ask(): Promise<void> {
    const { source } = this;
    if (!source.hasBegun || this.isDisposed) return;
    for (let left = MAX_LOOKS; left > 0; left--) {
      const { epoch } = this;
      const { printed } = source;
      const seen = await this.lookNow();
      const facts = await source.screenFacts();
      this.lastLookAt = performance.now();
      if (this.isDisposed) return;
      // Who is in front is between a fork and what comes of it.
      const isInBetween = seen === undefined && source.tty !== undefined && left > 1;
      if (epoch !== this.epoch || isInBetween) continue;
      // What was seen does not belong together, or belongs to a program that prints on and on.
      const isPrinting = printed !== source.printed && (seen?.wait !== 'works' || facts.isAlternate);
      if (isPrinting && left > 1) continue;
      const look = isPrinting && seen ? { ...seen, wait: 'works' as const } : seen;
      // What waits may wake up for a moment.
      if (left > 1 && look?.wait === 'works' && this.isIdle && printed === this.judgedAt) continue;
      const silentMs = this.lastLookAt - source.lastOutputAt;
      const judgement = source.hasBegun ? judge(look, facts, silentMs) : undefined;
      // The kernel's list of children misses some while there are forks (proc_pid_task_tid_children(5)): a pager may be one of them.
      const isNewScreen = judgement?.activity === 'fullscreen' && this.judgement?.activity !== 'fullscreen';
      if (left > 1 && isNewScreen && look?.wait === 'works') continue;
      this.judgedAt = printed;
      return this.update(look, judgement);
    }
  }

  private get isIdle(): boolean {
    return this.judgement !== undefined && this.judgement.activity !== 'running';
  }

  private update(look: Look | undefined, judgement: Judgement | undefined): void {
    const before = this.judgement;
    const waited = this.look?.wait;
    this.look = look;
    this.judgement = judgement;
    if (before?.activity !== judgement?.activity) this.since = performance.now();
    const isSame =
      before?.activity === judgement?.activity && before?.confidence === judgement?.confidence && waited === look?.wait;
    if (!isSame) this.changed.fire();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.changed.dispose();
  }
}
