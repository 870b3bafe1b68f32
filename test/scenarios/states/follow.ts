import type { TestClient } from '../../helpers/mcp';

/** One answer of READ. Times are those of performance.now(), in ms. */
interface Sample {
  readonly askedAt: number;
  readonly toldAt: number;
  readonly state: string;
  readonly confidence: string;
  readonly process: string | undefined;
  readonly text: string;
}

/** What is to be seen next of a program. */
export interface Step {
  /** Typed before, with Enter. */
  readonly answer?: string;
  /** Pressed before. */
  readonly keys?: string;
  /** The witness, which knows nothing of states: what the terminal shows when the program has reached this one. */
  readonly shows: RegExp;
  readonly state: string;
  /** What `process` is, or begins with. */
  readonly process?: string;
  /** Other states than running on the way, or a right one before the witness has seen everything: of a program that draws. */
  readonly onTheWay?: readonly string[];
  /** How long (ms) the state is watched afterwards. */
  readonly watchMs?: number;
}

export interface Followed {
  readonly states: readonly Sample[];
  /** From the last moment at which the witness had not seen it to the READ that told the state; undefined for never. */
  readonly ms: number | undefined;
  readonly last: Sample;
}

/** Time (ms) between two READs of one terminal. */
const POLL_MS = 20;
/** Longest time (ms) for a program to get where it is wanted. */
const DEADLINE_MS = 15_000;
/** Time (ms) that a right state is watched, and that a wrong one is given to become right. */
const WATCH_MS = 500;

/** READs a terminal again and again, from now until a while after the witness has seen what the step is about. */
export async function follow(client: TestClient, terminal: number, step: Step): Promise<Followed> {
  const states: Sample[] = [];
  const deadline = performance.now() + DEADLINE_MS;
  const watchMs = step.watchMs ?? WATCH_MS;
  let before = performance.now();
  let seenSince: number | undefined;
  let rightAt: number | undefined;
  for (;;) {
    const sample = await look(client, terminal);
    states.push(sample);
    if (seenSince === undefined && step.shows.test(sample.text)) seenSince = before;
    before = sample.toldAt;
    if (seenSince !== undefined && sample.state === step.state) rightAt ??= sample.askedAt;
    const since = rightAt ?? (seenSince === undefined ? undefined : seenSince + WATCH_MS);
    if (since !== undefined && sample.askedAt > since + watchMs) break;
    if (performance.now() > deadline) throw new Error(`${step.shows} never came: ${sample.text}`);
    // This is the measuring itself: a READ is a look.
    await new Promise(done => setTimeout(done, POLL_MS));
  }
  const ms = rightAt === undefined || seenSince === undefined ? undefined : Math.max(0, rightAt - seenSince);
  return { states, ms, last: states[states.length - 1] as Sample };
}

async function look(client: TestClient, terminal: number): Promise<Sample> {
  const askedAt = performance.now();
  const { texts, structured } = await client.read({ terminal, tail: 60 });
  return {
    askedAt,
    toldAt: performance.now(),
    state: String(structured['state']),
    confidence: String(structured['confidence']),
    process: structured['process'] as string | undefined,
    text: texts[0] ?? '',
  };
}

/** `running 0–212, input 230–760`: what was told, and when, in ms. */
export function timeline({ states }: Followed): string {
  const start = states[0]?.askedAt ?? 0;
  const runs: { state: string; from: number; to: number }[] = [];
  for (const { state, askedAt } of states) {
    const last = runs[runs.length - 1];
    if (last?.state === state) last.to = askedAt;
    else runs.push({ state, from: askedAt, to: askedAt });
  }
  return runs.map(({ state, from, to }) => `${state} ${Math.round(from - start)}–${Math.round(to - start)}`).join(', ');
}
