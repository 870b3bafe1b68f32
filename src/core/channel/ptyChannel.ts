import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, statSync, write } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { ReadStream } from 'node:tty';
import { type IPty, type IPtyForkOptions, spawn } from 'node-pty';
import { GlassError, systemErrorCode } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Channel, ChannelExit, EndReport } from './channel';
import { endTree } from './processTree';
import { WriteQueue } from './writeQueue';

/** `marker` is a piece of `env`, as NAME=value, by which the processes of this channel are recognised when they are ended. */
export interface PtyOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly marker: string;
}

/** What node-pty has on Unix beside its typings. */
interface UnixPty extends IPty {
  readonly fd: number;
  readonly ptsName: string;
  destroy(): void;
}

/** Longest wait for the last output of a process that has exited, in ms: a terminal stopped by ctrl+s gives none. */
const DRAIN_MS = 1000;

/**
 * Starts `file` in a pty of its own. Throws `cwd_not_found` or `spawn_failed`; the caller has found `file` already.
 */
export function openPty(options: PtyOptions): Channel {
  checkDirectory(options.cwd);
  try {
    const pty = spawnUndecoded(options.file, [...options.args], {
      name: options.env['TERM'] ?? 'xterm-256color',
      cols: options.cols,
      rows: options.rows,
      cwd: options.cwd,
      env: { ...options.env },
    });
    return process.platform === 'win32'
      ? new WindowsPtyChannel(pty, options.marker)
      : new UnixPtyChannel(pty as UnixPty, options.marker);
  } catch (error) {
    throw new GlassError(
      'spawn_failed',
      `The terminal could not start ${options.file}: ${String(error)}. Check that the program can be executed here.`,
      {},
      { cause: error },
    );
  }
}

/**
 * node-pty sets the tty's IUTF8, by which the line discipline erases a whole character, only together with the decoding of what it reads
 * (lib/unixTerminal.js). The log wants bytes, so the decoding is kept off while the terminal is made.
 */
function spawnUndecoded(file: string, args: string[], options: IPtyForkOptions): IPty {
  if (process.platform === 'win32') return spawn(file, args, { ...options, encoding: null });
  const prototype: { setEncoding?: unknown } = ReadStream.prototype;
  // Shadows the inherited method; nothing else runs before it is gone again.
  prototype.setEncoding = function (this: ReadStream) {
    return this;
  };
  try {
    return spawn(file, args, { ...options, encoding: 'utf8' });
  } finally {
    delete prototype.setEncoding;
  }
}

function checkDirectory(path: string): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch {
    // Told below.
  }
  throw new GlassError(
    'cwd_not_found',
    `There is no directory ${path}. Give an existing one as cwd, or leave cwd out.`,
  );
}

/** What the two kinds of pty have in common. */
abstract class PtyChannel implements Channel {
  protected readonly pty: IPty;
  private readonly marker: string;
  protected readonly data = new Emitter<Uint8Array>();
  protected readonly exit = new Emitter<ChannelExit>();
  readonly onData = this.data.event;
  readonly onExit = this.exit.event;
  readonly pid: number;
  readonly tty: string | undefined;
  protected exited = false;

  constructor(pty: IPty, marker: string, tty: string | undefined) {
    this.pty = pty;
    this.marker = marker;
    this.tty = tty;
    this.pid = pty.pid;
    pty.onExit(({ exitCode, signal }) => {
      this.exited = true;
      this.finished(signal ? { code: undefined, signal: signalName(signal) } : { code: exitCode, signal: undefined });
    });
  }

  protected finished(exit: ChannelExit): void {
    this.exit.fire(exit);
    this.dispose();
  }

  get isOpen(): boolean {
    return !this.exited;
  }

  write(data: string | Uint8Array): void {
    if (!this.exited) this.send(data);
  }

  protected abstract send(data: string | Uint8Array): void;

  resize(cols: number, rows: number): void {
    if (this.exited) return;
    try {
      this.pty.resize(cols, rows);
    } catch {
      // The process ended in this very tick, and its descriptor with it; the exit tells.
    }
  }

  pause(): void {
    this.pty.pause();
  }

  resume(): void {
    this.pty.resume();
  }

  async end(): Promise<EndReport> {
    return endTree(this.pid, this.marker);
  }

  dispose(): void {
    this.data.dispose();
    this.exit.dispose();
  }
}

class WindowsPtyChannel extends PtyChannel {
  constructor(pty: IPty, marker: string) {
    super(pty, marker, undefined);
    pty.onData(data => this.data.fire(Buffer.from(data)));
  }

  protected send(data: string | Uint8Array): void {
    this.pty.write(typeof data === 'string' ? data : Buffer.from(data));
  }

  override dispose(): void {
    if (!this.exited) this.pty.kill();
    this.exited = true;
    super.dispose();
  }
}

/**
 * Linux throws away what a pty's reader has not read yet once the last process has closed the other side. So this channel holds that
 * side open itself. When the process has exited it writes a fence there, which comes out of the terminal behind all the output there
 * was; when the fence has arrived, everything has.
 */
class UnixPtyChannel extends PtyChannel {
  private readonly queue: WriteQueue;
  private readonly unixPty: UnixPty;
  private slave: number | undefined;
  private readonly fence = Buffer.from(`\x1b]633;fence;${randomUUID()}\x07`);
  /** Set once the process has exited: what may be the beginning of the fence. */
  private tail: Buffer | undefined;
  private fenceSent = false;
  private drainTimer: NodeJS.Timeout | undefined;

  constructor(pty: UnixPty, marker: string) {
    super(pty, marker, pty.ptsName);
    this.unixPty = pty;
    this.slave = openSync(pty.ptsName, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    this.queue = new WriteQueue(pty.fd);
    // Typed as a string, but a Buffer where nothing is decoded.
    pty.onData(data => this.received(data as unknown as Buffer));
    whenProcessExits(pty, () => this.drain());
  }

  protected send(data: string | Uint8Array): void {
    this.queue.push(data);
  }

  private received(chunk: Buffer): void {
    if (!this.tail) return this.data.fire(chunk);
    const all = Buffer.concat([this.tail, chunk]);
    const fence = all.indexOf(this.fence);
    const safe = fence >= 0 ? fence : Math.max(0, all.length - this.fence.length + 1);
    this.tail = all.subarray(safe);
    if (safe > 0) this.data.fire(all.subarray(0, safe));
    if (fence >= 0) this.unixPty.destroy();
    else if (!this.fenceSent) this.sendFence();
  }

  /** The process has exited; its last output may still be in the kernel. */
  private drain(): void {
    this.exited = true;
    this.tail = Buffer.alloc(0);
    this.pty.resume();
    this.drainTimer = setTimeout(() => this.unixPty.destroy(), DRAIN_MS);
    this.sendFence();
  }

  private sendFence(): void {
    if (this.slave === undefined) return;
    this.fenceSent = true;
    write(this.slave, this.fence, error => {
      // No room: tried again when the next output has been read. Other errors leave it to the timer.
      if (systemErrorCode(error) === 'EAGAIN') this.fenceSent = false;
    });
  }

  protected override finished(exit: ChannelExit): void {
    if (this.tail && this.tail.length > 0 && !this.tail.includes(this.fence)) this.data.fire(this.tail);
    super.finished(exit);
  }

  override dispose(): void {
    clearTimeout(this.drainTimer);
    this.queue.dispose();
    if (this.slave !== undefined) closeSync(this.slave);
    this.slave = undefined;
    if (!this.exited) this.unixPty.destroy();
    this.exited = true;
    super.dispose();
  }
}

/**
 * node-pty hears of the exit at once, notes it in `_boundClose`, and tells it only when its socket has closed or 200 ms have passed
 * (lib/unixTerminal.js, the same in 1.1 and 1.2). An accessor in that field's place hears it at once, too; should the field go away, the exit
 * is learnt those 200 ms later.
 */
function whenProcessExits(pty: UnixPty, exited: () => void): void {
  let value = false;
  Object.defineProperty(pty, '_boundClose', {
    configurable: true,
    get: () => value,
    set: (next: boolean) => {
      if (next && !value) exited();
      value = next;
    },
  });
}

function signalName(signal: number): string {
  const known = Object.entries(osConstants.signals).find(([, number]) => number === signal);
  return known ? known[0] : `signal ${signal}`;
}
