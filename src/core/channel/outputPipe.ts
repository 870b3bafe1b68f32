import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { onEvent, race, timeout } from '../../base/async';
import { systemErrorCode } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';

/** One output stream of a process that has no terminal. */
export interface OutputPipe extends Disposable {
  /** What `spawn` gets for the stream. */
  readonly stdio: number | 'pipe';
  /** Reads from now on; `stream` is what `spawn` has made of the pipe. */
  connect(stream: Readable | null, received: (bytes: Uint8Array) => void): void;
  /** Reads what the process wrote before it exited. Resolves to whether another process still has the pipe open. */
  drain(): Promise<boolean>;
}

/** Most that is read after the exit, in bytes: what a pipe can hold (pipe(7)). A process left behind might write for ever. */
const PIPE_CAPACITY = 1024 * 1024;
const READ_BYTES = 64 * 1024;
/**
 * Longest wait (ms) for the end of a stream after the exit. It ends at once unless another process has the pipe open: one that is just going away
 * or writes the last of the output, such as the tee of `command > >(tee log)`, or one that stays in the background and shall not hold up anybody.
 */
const GRACE_MS = 200;

/**
 * The pipes for standard output and standard error. On Unix Node's own are sockets, and `echo x > /dev/stdout` or `tee /dev/stderr` fails on a
 * socket (ENXIO); so these are FIFOs, without a name by the time the process starts.
 */
export async function openOutputPipes(): Promise<readonly [OutputPipe, OutputPipe]> {
  if (process.platform === 'win32') return [new NodePipe(), new NodePipe()];
  const folder = await mkdtemp(join(tmpdir(), 'glass-tty-'));
  try {
    const out = join(folder, 'stdout');
    const err = join(folder, 'stderr');
    await promisify(execFile)('mkfifo', ['-m', '600', out, err]);
    const first = new Fifo(out);
    try {
      return [first, new Fifo(err)];
    } catch (error) {
      first.dispose();
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class Fifo implements OutputPipe {
  readonly stdio: number;
  private readonly reader: number;
  private readonly end = new Emitter<true>();
  private socket: Socket | undefined;
  private received: (bytes: Uint8Array) => void = () => {};
  private ended = false;

  constructor(path: string) {
    // Not blocking, or it would wait for a writer. The writing end is what the process gets, so that one blocks.
    this.reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    this.stdio = openSync(path, constants.O_WRONLY);
  }

  connect(_stream: Readable | null, received: (bytes: Uint8Array) => void): void {
    this.received = received;
    closeSync(this.stdio);
    this.socket = new Socket({ fd: this.reader, readable: true, writable: false });
    this.socket.on('data', received);
    const ended = () => {
      this.ended = true;
      this.end.fire(true);
    };
    this.socket.on('end', ended);
    this.socket.on('error', ended);
  }

  async drain(): Promise<boolean> {
    this.readAll();
    if (this.isReadable) await race([onEvent(this.end.event, value => value), timeout(GRACE_MS, true)]);
    this.readAll();
    return this.isReadable;
  }

  /** Nothing tells that a pipe is empty but reading it: whatever the process wrote before it exited is there. */
  private readAll(): void {
    for (let total = 0; total < PIPE_CAPACITY && this.isReadable; ) {
      const bytes = readNow(this.reader);
      if (!bytes) return;
      if (bytes.length === 0) this.ended = true;
      else this.received(bytes);
      total += bytes.length;
    }
  }

  /** The descriptor is the socket's: once that is destroyed, its number may be somebody else's. */
  private get isReadable(): boolean {
    return !this.ended && this.socket?.destroyed === false;
  }

  dispose(): void {
    if (this.socket) {
      this.socket.destroy();
      return;
    }
    closeSync(this.reader);
    closeSync(this.stdio);
  }
}

/** What can be read without waiting: nothing at the end of the pipe, undefined when it is only empty. */
function readNow(fd: number): Uint8Array | undefined {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  try {
    return buffer.subarray(0, readSync(fd, buffer));
  } catch (error) {
    if (systemErrorCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

/** The pipe that Node makes. */
class NodePipe implements OutputPipe {
  readonly stdio = 'pipe';
  private readonly end = new Emitter<true>();
  private stream: Readable | null = null;
  private ended = false;

  connect(stream: Readable | null, received: (bytes: Uint8Array) => void): void {
    this.stream = stream;
    stream?.on('data', received);
    const ended = () => {
      this.ended = true;
      this.end.fire(true);
    };
    stream?.on('close', ended);
    stream?.on('error', ended);
  }

  async drain(): Promise<boolean> {
    if (!this.ended) await race([onEvent(this.end.event, value => value), timeout(GRACE_MS, true)]);
    return !this.ended;
  }

  dispose(): void {
    this.stream?.destroy();
  }
}
