import { onEvent, race, timeout } from '../../base/async';
import type { Session } from './session';

export const CTRL_C = '\x03';

/** Time (ms) in which a line editor acts on ctrl+c if it acts at all. */
const INTERRUPT_MS = 300;

/**
 * Sends keys for an agent. Throws `terminal_exited`.
 *
 * readline looks for a caught signal and only then waits for input, so a ctrl+c that falls between the two is lost until the next one (bash 5.2,
 * a few times in a hundred when it follows closely on a continuation prompt). One that gives up a continuation and has no effect is sent again.
 */
export async function press(session: Session, keys: string, signal: AbortSignal): Promise<void> {
  const givesUp = keys.endsWith(CTRL_C) && session.tracker.phase === 'continuation';
  session.write(keys);
  if (!givesUp) return;
  const isOver = () => (session.exit || session.tracker.phase !== 'continuation' ? true : undefined);
  const acted = await race([onEvent(session.onChange, isOver), timeout(INTERRUPT_MS, false)], signal);
  if (!acted && !session.exit) session.write(CTRL_C);
}
