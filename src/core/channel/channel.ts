import type { Event } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';

/** How the process behind a channel ended: by itself with `code`, or by `signal` (a name such as SIGKILL). */
export interface ChannelExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** A process that a channel could not end. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** What it took to end a channel's processes: the strongest signal sent, and who is left all the same. */
export interface EndReport {
  readonly signal: string;
  readonly survivors: readonly Survivor[];
}

/**
 * A byte pipe with a process behind it. After `onExit` there is no more data: the channel is drained first.
 * Disposing it gives up its resources without waiting; `end` first if the processes should be gone.
 */
export interface Channel extends Disposable {
  readonly onData: Event<Uint8Array>;
  readonly onExit: Event<ChannelExit>;
  /** The process at the other end, when it is on this machine. */
  readonly pid: number | undefined;
  /** Path of the terminal that the process has, where there is one that can be opened. */
  readonly tty: string | undefined;
  /** False as soon as the process has ended, which is before its last output has come. Input then goes nowhere. */
  readonly isOpen: boolean;
  /** Queues `data`; what the process does not read stays queued. Throws `input_overflow`. */
  write(data: string | Uint8Array): void;
  /** Columns and rows from 1 to 65535. */
  resize(cols: number, rows: number): void;
  /** Stops and goes on with `onData`; a process that prints meanwhile is held up by the kernel. */
  pause(): void;
  resume(): void;
  /** Ends the process and everything it started: politely first, by force within about two seconds. */
  end(): Promise<EndReport>;
}
