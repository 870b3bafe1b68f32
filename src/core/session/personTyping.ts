import { type Disposable, DisposableStore } from '../../base/lifecycle';
import { renderText } from '../output/render';
import type { Session } from './session';

/** Enter, ctrl+c, ctrl+d and ctrl+u leave nothing at the prompt. */
const endsLine = /[\r\x03\x04\x15]$/;
const clearsLine = /[\x03\x15]$/;

/** What a person types into a session, as far as the keyboard has to know: whether something of theirs stands at the prompt. */
export class PersonTyping implements Disposable {
  private readonly session: Session;
  private readonly store = new DisposableStore();
  /** Something was typed while a program ran, which may stand at the next prompt, or be run there. */
  private hasTypedAhead = false;
  /** Offset of the log at the last key. */
  private lastKeyAt = 0;

  constructor(session: Session) {
    this.session = session;
    this.store.add(session.keyboard.onQuiet(() => void this.freeWipedPrompt()));
  }

  typed(data: string): void {
    if (isReport.test(data)) return;
    const { keyboard, tracker, log } = this.session;
    const isAtPrompt = tracker.phase === 'prompt';
    const leaves = !endsLine.test(data);
    this.lastKeyAt = log.end;
    if (!isAtPrompt) this.hasTypedAhead = true;
    keyboard.typed(isAtPrompt ? leaves : undefined);
    // Cleared again, without a command.
    if (isAtPrompt && clearsLine.test(data)) keyboard.prompted(false);
  }

  /** What was typed ahead is the person's until the shell has taken it, or is seen not to stand there. */
  prompted(at: number): void {
    const { keyboard, activity } = this.session;
    const { hasTypedAhead } = this;
    this.hasTypedAhead = false;
    keyboard.prompted(hasTypedAhead);
    if (hasTypedAhead) void activity.whenWaiting().then(() => this.freeEmptyPrompt(at, false));
  }

  /** A person may have wiped a line key by key. What they typed last has to have had an effect, else it is still on its way. */
  private async freeWipedPrompt(): Promise<void> {
    const { activity, tracker, log } = this.session;
    const { promptEnd } = tracker;
    const { lastKeyAt } = this;
    await activity.whenWaiting();
    if (this.lastKeyAt === lastKeyAt && log.end > lastKeyAt) await this.freeEmptyPrompt(promptEnd, true);
  }

  /** Gives the keyboard back if nothing stands behind the prompt that ends at `at`. Behind the cursor there may be a right prompt, or what a person goes back over. */
  private async freeEmptyPrompt(at: number, looksBehindCursor: boolean): Promise<void> {
    const { session } = this;
    const { screen, log, tracker, keyboard } = session;
    const { beforeCursor, afterCursor } = await screen.facts();
    const { bytes } = log.read(tracker.promptStart, at);
    const prompt = ((await renderText(bytes, session)).pop() ?? '').trim();
    if (session.exit || tracker.phase !== 'prompt' || tracker.promptEnd !== at) return;
    // Output without a line feed may stand before it.
    const isAtPrompt = prompt === '' ? beforeCursor.trim() === '' : beforeCursor.trimEnd().endsWith(prompt);
    const isEmpty = isAtPrompt && !(looksBehindCursor && /\S/.test(afterCursor));
    if (isEmpty) keyboard.prompted(false);
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** Focus reports and mouse reports come from the mirror, not from a person's fingers. */
const isReport = /^(?:\x1b\[[IO]|\x1b\[<[\d;]+[Mm])$/;
