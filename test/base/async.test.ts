import { describe, expect, it } from 'vitest';
import { onEvent, race, timeout } from '../../src/base/async';
import { Emitter } from '../../src/base/event';

describe('race', () => {
  it('gives the first end and takes every listener off', async () => {
    const emitter = new Emitter<number>();
    const result = race([
      onEvent(emitter.event, value => (value > 1 ? `event ${value}` : undefined)),
      timeout(10_000, 'late'),
    ]);
    emitter.fire(1);
    emitter.fire(2);
    expect(await result).toBe('event 2');
    expect(emitter.hasListeners).toBe(false);
  });

  it('does not arm a later end when an earlier one has come already', async () => {
    let armed = false;
    const result = await race<string>([
      won => won('at once'),
      () => {
        armed = true;
      },
    ]);
    expect(result).toBe('at once');
    expect(armed).toBe(false);
  });

  it('rejects with `cancelled` and cleans up when the signal aborts', async () => {
    const emitter = new Emitter<number>();
    const abort = new AbortController();
    const result = race([onEvent(emitter.event, value => value)], abort.signal);
    abort.abort();
    await expect(result).rejects.toMatchObject({ code: 'cancelled' });
    expect(emitter.hasListeners).toBe(false);
  });

  it('waits for ever with a time of Infinity', async () => {
    const emitter = new Emitter<string>();
    const result = race([timeout(Number.POSITIVE_INFINITY, 'time'), onEvent(emitter.event, value => value)]);
    emitter.fire('event');
    expect(await result).toBe('event');
  });
});
