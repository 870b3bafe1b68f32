import type { Disposable } from '../../base/lifecycle';
import type { Channel } from '../channel/channel';

/** Longest time (ms) that input is held back. */
const HOLD_MS = 1000;

/**
 * The way of all input into a channel. While the shell takes a pasted command line, what comes after it is held back: a ctrl+c in the middle of a
 * paste leaves readline waiting for the paste's end.
 */
export class InputGate implements Disposable {
  private readonly channel: Channel;
  private held: (string | Uint8Array)[] | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(channel: Channel) {
    this.channel = channel;
  }

  send(data: string | Uint8Array): void {
    if (this.held) this.held.push(data);
    else this.channel.write(data);
  }

  /** Holds back what comes from now on, until `release` or a second has passed. */
  hold(): void {
    this.held ??= [];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.release(), HOLD_MS);
  }

  release(): void {
    const { held } = this;
    this.dispose();
    for (const data of held ?? []) this.channel.write(data);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.held = undefined;
  }
}
