import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/base/event';
import type { Session } from '../../../src/core/session/session';
import { waitUntil } from '../../../src/core/session/waitUntil';

/** A session whose output ended `silentMs` ago; of a session the wait for silence uses little else. */
function setUp(silentMs: number, current?: { startedAt: number }) {
  const output = new Emitter<void>();
  const exit = new Emitter<void>();
  const session = {
    tracker: { current },
    lastOutputAt: performance.now() - silentMs,
    onOutput: output.event,
    onExit: exit.event,
    activity: { watch: () => ({ dispose() {} }), onChange: new Emitter<void>().event },
  } as unknown as Session;
  const wait = () => waitUntil(session, [{ kind: 'silence', ms: 200 }], 10_000, new AbortController().signal);
  const timed = async () => {
    const started = performance.now();
    expect(await wait()).toEqual({ kind: 'silence' });
    return performance.now() - started;
  };
  return { timed };
}

describe('a wait for silence', () => {
  it('is over at once where it has been silent for long enough', async () => {
    expect(await setUp(5000).timed()).toBeLessThan(100);
    expect(await setUp(5000, { startedAt: Date.now() - 6000 }).timed()).toBeLessThan(100);
  });

  it('does not take the silence before a command for its own', async () => {
    expect(await setUp(5000, { startedAt: Date.now() }).timed()).toBeGreaterThan(150);
  });
});
