import { Emitter } from '../../base/event';
import type { Channel, ChannelExit, EndReport } from './channel';

/** A channel with no process of its own behind it: its output is what it is fed, and input goes nowhere. */
export class FeedChannel implements Channel {
  private readonly data = new Emitter<Uint8Array>();
  private readonly exit = new Emitter<ChannelExit>();
  readonly onData = this.data.event;
  readonly onExit = this.exit.event;
  readonly pid = undefined;
  readonly tty = undefined;
  isOpen = true;

  /** After the end, nothing. */
  feed(bytes: Uint8Array): void {
    if (this.isOpen) this.data.fire(bytes);
  }

  write(): void {}

  resize(): void {}

  pause(): void {}

  resume(): void {}

  async end(): Promise<EndReport> {
    if (this.isOpen) {
      this.isOpen = false;
      this.exit.fire({ code: 0, signal: undefined });
    }
    return { signal: 'none', survivors: [] };
  }

  dispose(): void {
    this.isOpen = false;
    this.data.dispose();
    this.exit.dispose();
  }
}
