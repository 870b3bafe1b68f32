import { StringDecoder } from 'node:string_decoder';
import { SerializeAddon } from '@xterm/addon-serialize';
import type { IMarker, Terminal } from '@xterm/headless';
import { Emitter } from '../../base/event';
import { type Disposable, DisposableStore } from '../../base/lifecycle';
import type { OutputLog } from '../output/outputLog';
import type { ScreenFacts } from '../process/activity';
import { readCells } from './cells';
import { bufferLines, createTerminal } from './headless';
import type { KeyModes } from './keys';
import { isPicture } from './mirrorFilter';
import { ProgramModes } from './programModes';
import { Tokenizer, type TokenKind } from './tokenizer';

/**
 * What a replica of the screen must be told, in order: bytes to write, a new size, or that output was skipped and only a fresh
 * `snapshot` shows the screen as it is.
 */
export type ScreenUpdate =
  | { readonly kind: 'data'; readonly data: string }
  | { readonly kind: 'size'; readonly cols: number; readonly rows: number }
  | { readonly kind: 'skipped' };

/** Lines kept above the visible ones. */
const SCROLLBACK = 2000;
/** Parsed in one go, in bytes: a few ms of work. */
const SLICE = 64 * 1024;
/** Parsed at most (bytes) in each window of time (ms) while nobody asks for the screen, so that the drain keeps most of the processor. */
const WINDOW = { bytes: 256 * 1024, ms: 50 } as const;
/** An unparsed backlog above this (bytes) is a flood, of which only the modes and the last `FLOOD_TAIL` bytes are looked at. */
const FLOOD = 1024 * 1024;
const FLOOD_TAIL = 64 * 1024;

interface Cue {
  readonly at: number;
  apply(skipping: boolean): void;
}

/**
 * The picture a session's output makes: a headless VT that follows the log at its own pace. It owns no process; what it has to answer to
 * a query comes out as `onReply`.
 */
export class Screen implements Disposable {
  private readonly log: OutputLog;
  private readonly terminal: Terminal;
  private readonly serializer = new SerializeAddon();
  private readonly tokenizer = new Tokenizer();
  private readonly decoder = new StringDecoder('utf8');
  private readonly store = new DisposableStore();
  private readonly reply = this.store.add(new Emitter<string>());
  private readonly update = this.store.add(new Emitter<ScreenUpdate>());
  /** Answers to the program's queries, to be written to the channel. */
  readonly onReply = this.reply.event;
  readonly onUpdate = this.update.event;

  /** Everything in the log before this offset has been given to the terminal. */
  private cursor = 0;
  private readonly cues: Cue[] = [];
  private pumping = false;
  /** Sequences of ours that the terminal has been given and has not parsed yet. */
  private unparsed = 0;
  private window = { since: 0, bytes: 0 };
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private waiters: { readonly target: number; readonly done: () => void }[] = [];
  private promptMarker: IMarker | undefined;
  private title = '';
  private readonly programModes: ProgramModes;

  constructor(log: OutputLog, size: { readonly cols: number; readonly rows: number }) {
    this.log = log;
    this.terminal = createTerminal(size, SCROLLBACK);
    this.programModes = this.store.add(new ProgramModes(this.terminal));
    // The addon is typed for the browser's Terminal, of which it uses only what the headless one has, too.
    this.terminal.loadAddon(this.serializer as unknown as Parameters<Terminal['loadAddon']>[0]);
    this.store.add(this.terminal.onData(data => this.reply.fire(data)));
    this.store.add(
      this.terminal.onTitleChange(title => {
        this.title = title;
      }),
    );
    this.store.add(this.terminal);
  }

  get cols(): number {
    return this.terminal.cols;
  }

  get rows(): number {
    return this.terminal.rows;
  }

  /** What the program has set that changes what keys and the mouse send. */
  get modes(): Terminal['modes'] & KeyModes {
    return { ...this.terminal.modes, sgrMouse: this.programModes.sgrMouse };
  }

  /** A full-screen program has the screen. */
  get isAlternate(): boolean {
    return this.terminal.buffer.active.type === 'alternate';
  }

  /** What a person sees at this moment: the rows without trailing blanks, the cursor in them (from 0), and the title the program has set. */
  picture() {
    const { active } = this.terminal.buffer;
    const rows = Array.from({ length: this.rows }, (_, index) => active.getLine(active.baseY + index));
    return {
      cols: this.cols,
      rows: this.rows,
      lines: rows.map(row => row?.translateToString(true).trimEnd() ?? ''),
      cells: rows.map(row => (row ? readCells(row) : [])),
      cursor: {
        row: active.cursorY,
        // Behind the last column it waits for what wraps: shown, it stands on that column.
        column: Math.min(active.cursorX, this.cols - 1),
        isVisible: !this.programModes.isCursorHidden,
      },
      isAlternate: this.isAlternate,
      title: this.title,
    };
  }

  /** The log has grown, or a cue was added. */
  notify(): void {
    if (this.pumping || this.immediate || this.timer || this.store.isDisposed) return;
    this.immediate = setImmediate(() => this.pump());
  }

  /** Resolves when everything that is in the log now shows on the screen. */
  flush(): Promise<void> {
    return new Promise<void>(resolve => this.whenSettled(resolve));
  }

  /**
   * Calls `done` when everything that is in the log now shows on the screen: in the very moment between two updates, so that a snapshot taken
   * in it and the updates after it belong together.
   */
  whenSettled(done: () => void): void {
    const isIdle = !this.pumping && this.cursor >= this.log.end && this.cues.length === 0;
    if (this.store.isDisposed || (isIdle && this.unparsed === 0)) return done();
    this.waiters.push({ target: this.log.end, done });
    if (isIdle) return this.terminal.write('', () => this.settle());
    clearTimeout(this.timer);
    this.timer = undefined;
    this.notify();
  }

  resize(cols: number, rows: number): void {
    this.cue(this.log.end, () => {
      this.terminal.resize(cols, rows);
      this.update.fire({ kind: 'size', cols, rows });
    });
  }

  /** A prompt begins at this offset of the log. */
  markPrompt(at: number): void {
    this.cue(at, () => {
      this.promptMarker?.dispose();
      this.promptMarker = this.terminal.registerMarker(0);
    });
  }

  /** A command begins at this offset of the log. */
  markCommand(at: number): void {
    // Behind what the terminal has been given and has not parsed yet, such as a clear of ours.
    this.cue(at, () =>
      this.terminal.write('', () => {
        this.programModes.isAddressed = false;
      }),
    );
  }

  /** What tells how a program uses the screen, once it shows all output. */
  async facts(): Promise<ScreenFacts> {
    await this.flush();
    const { active } = this.terminal.buffer;
    const line = active.getLine(active.baseY + active.cursorY);
    return {
      isAlternate: this.isAlternate,
      isAddressed: this.programModes.isAddressed,
      hasApplicationKeys: this.terminal.modes.applicationCursorKeysMode,
      isCursorHidden: this.programModes.isCursorHidden,
      isEditing: this.terminal.modes.bracketedPasteMode && !this.isAlternate,
      cursorColumn: active.cursorX,
      beforeCursor: line?.translateToString(false, 0, active.cursorX) ?? '',
      afterCursor: line?.translateToString(true, active.cursorX) ?? '',
    };
  }

  /** Shows `sequence` to the replicas at this offset, and to them alone. */
  inject(at: number, sequence: string): void {
    this.cue(at, skipping => {
      if (!skipping) this.update.fire({ kind: 'data', data: sequence });
    });
  }

  /** Moves what is visible above the prompt into the scrollback, so that the prompt stands in the first line. */
  clear(): void {
    this.cue(this.log.end, () => {
      const sequence = this.clearSequence();
      if (sequence) this.writeBoth(sequence);
    });
  }

  private clearSequence(): string | undefined {
    const { active } = this.terminal.buffer;
    const row = this.promptRow();
    const promptRow = row < 0 ? active.cursorY : row;
    if (this.isAlternate || promptRow <= 0) return undefined;
    const home = `\x1b[${active.cursorY - promptRow + 1};${active.cursorX + 1}H`;
    return `\x1b[${this.rows};1H${'\n'.repeat(promptRow)}${home}`;
  }

  /**
   * Writes lines of ours, which the program knows nothing of, on the screen and on its replicas: above the prompt if the shell is at one, else below
   * what has been printed. False when a full-screen program has the screen.
   */
  show(lines: readonly string[], isAtPrompt: boolean): Promise<boolean> {
    return new Promise(resolve =>
      this.whenSettled(() => {
        if (this.store.isDisposed || this.isAlternate) return resolve(false);
        const row = isAtPrompt ? this.promptRow() : -1;
        if (row >= 0) this.writeAbove(lines, row);
        else
          this.writeBoth(
            `${this.terminal.buffer.active.cursorX > 0 ? '\r\n' : ''}\x1b[0m${lines.join('\r\n')}\x1b[0m\r\n`,
          );
        resolve(true);
      }),
    );
  }

  /** The prompt, and what is typed behind it, is written again below the lines, and the cursor put back into it. */
  private writeAbove(lines: readonly string[], row: number): void {
    const { active } = this.terminal.buffer;
    let end = this.rows - 1;
    while (end > active.cursorY && active.getLine(active.baseY + end)?.translateToString(true) === '') end--;
    const prompt = this.serializer.serialize({
      range: { start: active.baseY + row, end: active.baseY + end },
      excludeModes: true,
      excludeAltBuffer: true,
    });
    const up = end > active.cursorY ? `\x1b[${end - active.cursorY}A` : '';
    const right = active.cursorX > 0 ? `\x1b[${active.cursorX}C` : '';
    const height = active.cursorY - row;
    this.writeBoth(
      `\x1b[${row + 1};1H\x1b[0m\x1b[J${lines.join('\r\n')}\x1b[0m\r\n${prompt}\x1b[0m${up}\r${right}`,
      () => {
        this.promptMarker?.dispose();
        this.promptMarker = this.terminal.registerMarker(-height);
      },
    );
  }

  private writeBoth(sequence: string, done?: () => void): void {
    this.unparsed++;
    this.terminal.write(sequence, () => {
      this.unparsed--;
      done?.();
    });
    this.update.fire({ kind: 'data', data: sequence });
  }

  /** The last `count` lines of scrollback and screen as text: wrapped lines joined, trailing blanks and empty last lines trimmed. */
  text(count: number): { readonly lines: string[]; readonly total: number } {
    const lines = bufferLines(this.terminal);
    return { lines: count > 0 ? lines.slice(-count) : lines, total: lines.length };
  }

  /** What makes an empty terminal of this size show the same: `scrollback` lines, screen, cursor and modes. */
  snapshot(scrollback = SCROLLBACK): string {
    return this.serializer.serialize({ scrollback });
  }

  /** The row in which the last prompt begins; below 0 when it is not on the screen. */
  private promptRow(): number {
    const line = this.promptMarker?.line ?? -1;
    return line < 0 ? -1 : line - this.terminal.buffer.active.baseY;
  }

  private cue(at: number, apply: Cue['apply']): void {
    this.cues.push({ at, apply });
    this.notify();
  }

  private pump(): void {
    this.immediate = undefined;
    this.timer = undefined;
    if (this.store.isDisposed) return;
    if (this.log.end - this.cursor > FLOOD) this.skip(this.log.end - FLOOD_TAIL);
    this.pumping = true;
    this.step();
  }

  /** One slice, up to the next cue; goes on by itself until it has caught up or has used up its window. */
  private step(): void {
    this.runCues(false);
    if (this.unparsed > 0) return this.terminal.write('', () => this.step());
    this.settle();
    const pauseMs = this.waiters.length > 0 ? 0 : this.pauseBeforeNext();
    const isDone = this.cursor === this.log.end || this.store.isDisposed;
    if (isDone || pauseMs > 0) {
      this.pumping = false;
      if (!isDone) this.timer = setTimeout(() => this.pump(), pauseMs);
      return;
    }
    const to = Math.min(this.cursor + SLICE, this.cues[0]?.at ?? this.log.end, this.log.end);
    const { screen, picture } = this.filter(this.log.read(this.cursor, to).bytes, () => true);
    this.window.bytes += to - this.cursor;
    this.cursor = to;
    this.terminal.write(screen, () => {
      if (picture.length > 0) this.update.fire({ kind: 'data', data: this.decoder.write(picture) });
      this.step();
    });
  }

  /** Time (ms) until the next window, when this one is used up. */
  private pauseBeforeNext(): number {
    const now = performance.now();
    if (now - this.window.since >= WINDOW.ms) this.window = { since: now, bytes: 0 };
    return this.window.bytes < WINDOW.bytes ? 0 : this.window.since + WINDOW.ms - now;
  }

  /** Jumps to `to`, with an eye only for what outlives the text: modes, queries, titles, resizes. */
  private skip(to: number): void {
    while (this.cursor < to) {
      const next = Math.min(this.cursor + SLICE, to);
      const { screen } = this.filter(this.log.read(this.cursor, next).bytes, outlivesText);
      this.cursor = next;
      if (screen.length > 0) this.terminal.write(screen);
    }
    this.runCues(true);
    this.update.fire({ kind: 'skipped' });
  }

  private runCues(skipping: boolean): void {
    while (this.cues[0] && this.cues[0].at <= this.cursor) this.cues.shift()?.apply(skipping);
  }

  private settle(): void {
    const ready = this.waiters.filter(waiter => waiter.target <= this.cursor);
    if (ready.length === 0) return;
    this.waiters = this.waiters.filter(waiter => waiter.target > this.cursor);
    for (const waiter of ready) waiter.done();
  }

  /** The tokens that the screen gets and those that replicas get. Unfinished sequences reach neither: they would swallow text. */
  private filter(bytes: Uint8Array, isWanted: (kind: TokenKind, bytes: Uint8Array) => boolean) {
    const screen: Uint8Array[] = [];
    const picture: Uint8Array[] = [];
    this.tokenizer.push(bytes, (kind, token) => {
      if (kind === 'broken' || !isWanted(kind, token)) return;
      screen.push(token);
      if (this.update.hasListeners && isPicture(kind, token)) picture.push(token);
    });
    return { screen: Buffer.concat(screen), picture: Buffer.concat(picture) };
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.store.dispose();
    for (const waiter of this.waiters) waiter.done();
    this.waiters = [];
  }
}

function outlivesText(kind: TokenKind, bytes: Uint8Array): boolean {
  if (kind === 'esc' || kind === 'osc' || kind === 'dcs') return true;
  // All of CSI but cursor movement, erasing, scrolling and colours.
  return kind === 'csi' && 'hlrcnpqtux'.includes(String.fromCharCode(bytes[bytes.length - 1] ?? 0));
}
