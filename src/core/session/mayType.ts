import { GlassError } from '../../base/errors';
import type { Session } from './session';

/** Throws `human_typing` while a person has the keyboard. */
export function assertKeyboard(session: Session): void {
  const { keyboard, name } = session;
  if (keyboard.holder === 'agent') return;
  const why = keyboard.isTakenOver
    ? 'has taken over the keyboard of'
    : keyboard.hasTypedText
      ? 'is typing at the prompt of'
      : 'is typing in';
  throw new GlassError(
    'human_typing',
    `The person ${why} ${name}. Nothing was sent. wait with until ["keyboard"], or use another terminal number.`,
  );
}

/** Throws `secret_expected` where a program reads a secret, unless the person allows that. Asks the kernel first. */
export async function assertNoSecret(session: Session): Promise<void> {
  await session.activity.refresh();
  if (session.state !== 'secret' || session.agentMayTypeSecrets) return;
  const program = session.activity.program?.split(' ')[0] ?? 'A program';
  throw new GlassError(
    'secret_expected',
    `${program} in ${session.name} asks for a password or another secret. Nothing was sent. The person types it into the terminal: wait for that, and do not ask for it in the chat. send_control ctrl+c gives it up.`,
  );
}
