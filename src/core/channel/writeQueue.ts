import { write } from 'node:fs';
import { GlassError, systemErrorCode } from '../../base/errors';
import type { Disposable } from '../../base/lifecycle';

/** More than any sensible paste; beyond it the program is clearly not reading. In bytes. */
const MAX_QUEUED = 16 * 1024 * 1024;

/** First and longest pause before a full pty is tried again, in ms. A pty master sends no event when there is room again. */
const RETRY_MS = { first: 1, longest: 50 } as const;

/**
 * Writes to a non-blocking file descriptor, in order, whole, however slowly the other end reads.
 * (node-pty's own queue spins on EAGAIN without a pause, which costs a core for as long as a program does not read.)
 */
export class WriteQueue implements Disposable {
  private readonly fd: number;
  private queue: Buffer[] = [];
  private queued = 0;
  private writing = false;
  private retryMs: number = RETRY_MS.first;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(fd: number) {
    this.fd = fd;
  }

  /** Throws `input_overflow` when the program has left more than 16 MB unread. */
  push(data: string | Uint8Array): void {
    const buffer = Buffer.from(data);
    if (buffer.length === 0 || this.closed) return;
    if (this.queued + buffer.length > MAX_QUEUED) {
      throw new GlassError(
        'input_overflow',
        'The program in this terminal is not reading its input, and 16 MB wait for it already. Look at what runs there before you send more.',
      );
    }
    this.queue.push(buffer);
    this.queued += buffer.length;
    if (!this.writing) this.next();
  }

  private next(): void {
    const head = this.queue[0];
    this.writing = head !== undefined && !this.closed;
    if (!head || this.closed) return;
    write(this.fd, head, 0, head.length, null, (error, written) => this.wrote(head, error, written));
  }

  private wrote(head: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (this.closed) return;
    if (systemErrorCode(error) === 'EAGAIN') {
      this.timer = setTimeout(() => this.next(), this.retryMs);
      this.retryMs = Math.min(this.retryMs * 2, RETRY_MS.longest);
      return;
    }
    // Any other error means that the terminal has gone; its exit is reported by the channel.
    if (error) return this.dispose();
    this.retryMs = RETRY_MS.first;
    this.queued -= written;
    if (written < head.length) this.queue[0] = head.subarray(written);
    else this.queue.shift();
    this.next();
  }

  dispose(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.queue = [];
    this.queued = 0;
  }
}
