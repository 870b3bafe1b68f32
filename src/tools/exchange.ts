import { z } from 'zod';
import { assertKeyboard, assertNoSecret } from '../core/session/mayType';
import { waitForQuiet } from '../core/session/quiet';
import type { Session } from '../core/session/session';
import { factsOf, saidSince } from './report';
import type { ToolContext } from './tool';

/** interminal's two-phase wait, as parameters; `total` is the tool's default for the longest wait, in seconds. */
export const quietParameters = (total: number) => ({
  pause_timeout: z.number().min(0).max(600).default(2).describe('Seconds of silence after which to return.'),
  total_timeout: z.number().min(0).max(3600).default(total).describe('Longest wait in seconds.'),
});

interface ExchangeTimes {
  readonly pause_timeout: number;
  readonly total_timeout: number;
  /** What is sent says nothing, and is let through where a program asks for a secret. */
  readonly givesUp?: boolean;
}

/**
 * Sends something to a terminal, and reports what it says to that until it falls silent or its command ends: what was printed since, without the
 * prompt behind it; of a full-screen program, which draws only what has changed, its screen. Throws `human_typing` or `secret_expected`.
 */
export async function exchange(
  session: Session,
  send: () => void | Promise<void>,
  times: ExchangeTimes,
  context: ToolContext,
) {
  assertKeyboard(session);
  if (!times.givesUp) await assertNoSecret(session);
  // What is sent depends on the modes that the program has set.
  await session.screen.flush();
  const { current, last } = session.tracker;
  const since = session.log.end;
  const wasAlternate = session.screen.isAlternate;
  await send();
  await waitForQuiet(session, {
    command: current,
    since,
    pauseMs: times.pause_timeout * 1000,
    totalMs: Math.min(times.total_timeout * 1000, context.patienceMs),
    signal: context.signal,
  });
  const reader = context.caller.owner;
  const text = await saidSince(session, since, { reader, command: current, wasAlternate });
  session.readers.set(reader, session.log.end);
  const facts = await factsOf(session, last);
  return { ...facts, ...text, status: facts.completed ? ('completed' as const) : ('partial' as const) };
}
