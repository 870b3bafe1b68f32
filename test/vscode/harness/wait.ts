import { setTimeout as delay } from 'node:timers/promises';

const sampleMs = 50;

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** What is waited for, as it ends the sentence "Waited 30 s for …". */
  readonly what: string;
}

/**
 * The first value of `sample` that is neither undefined nor false. VS Code tells us nothing of its own accord, so we look
 * again and again; an error counts as "not yet" and is named when the time is up.
 */
export async function waitFor<T>(
  sample: () => Promise<T> | T,
  options: WaitOptions,
): Promise<Exclude<T, undefined | false>> {
  const timeoutMs = options.timeoutMs ?? 30_000;
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await sample();
      if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${options.what}`, { cause });
    await delay(sampleMs);
  }
}
