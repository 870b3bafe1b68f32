import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';

export type KeyboardHolder = 'agent' | 'person';

/** What a person has decided for all sessions of a host; it may change at any time. */
export interface SharingRules {
  /** Time (ms) after a person's last key in which the agent does not type; half a line at a prompt keeps the keyboard for as long as it stands there. */
  quietMs: number;
  /** Whether an agent may type where a program asks for a secret. */
  agentMayTypeSecrets: boolean;
}

export const defaultRules: Readonly<SharingRules> = { quietMs: 5000, agentMayTypeSecrets: false };

/**
 * Who types in a session. A person takes the keyboard by typing. It goes back to the agent when the shell is at a clean prompt again, after a quiet time, or when
 * they hand it back; one that was taken over stays theirs until then.
 */
export class Keyboard implements Disposable {
  private readonly rules: SharingRules;
  private readonly changed = new Emitter<void>();
  /** The holder is another one. */
  readonly onChange = this.changed.event;
  private readonly quiet = new Emitter<void>();
  /** The quiet time is over, but something of the person's seems to stand at the prompt. */
  readonly onQuiet = this.quiet.event;
  holder: KeyboardHolder = 'agent';
  isTakenOver = false;
  /** What a person typed stands at the prompt and was not submitted yet. */
  hasTypedText = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(rules: SharingRules) {
    this.rules = rules;
  }

  /** A person has pressed keys. `leaves` is whether they leave text at the prompt; undefined where no prompt is. */
  typed(leavesText: boolean | undefined): void {
    if (leavesText !== undefined) this.hasTypedText = leavesText;
    this.hold('person');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.hasTypedText ? this.quiet.fire() : this.giveBack()), this.rules.quietMs);
    this.timer.unref();
  }

  /** The shell shows a prompt; `hasText` is whether something typed ahead stands behind it. */
  prompted(hasText: boolean): void {
    this.hasTypedText = hasText;
    if (hasText) this.hold('person');
    else this.giveBack();
  }

  takeOver(): void {
    this.isTakenOver = true;
    this.hold('person');
  }

  /** Text that stands at the prompt stays the person's all the same: it must neither be wiped nor run. */
  handBack(): void {
    this.isTakenOver = false;
    this.giveBack();
  }

  private giveBack(): void {
    if (this.isTakenOver || this.hasTypedText) return;
    clearTimeout(this.timer);
    this.hold('agent');
  }

  private hold(holder: KeyboardHolder): void {
    if (this.holder === holder) return;
    this.holder = holder;
    this.changed.fire();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
    this.quiet.dispose();
  }
}
