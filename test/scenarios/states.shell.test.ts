import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Home } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';
import { prepare } from './states/files';
import { type Followed, follow, timeline } from './states/follow';
import { busy, type Row, rows } from './states/rows';

/** Longest time (ms) from the moment at which a program is where it is to the right state. */
const LIMIT_MS = 300;
const REPLS = new Set(['python', 'node']);

/** What text alone tells is only reported: one look when the program is there. */
const report: string[] = [];

let home: Home;
let client: TestClient;
let blind: TestClient;
beforeAll(async () => {
  home = prepare();
  const options = { cwd: home.path, env: { ...home.env, SHELL: '/bin/bash', TERM: 'xterm-256color' } };
  client = await connectStdio(options);
  blind = await connectStdio({ ...options, env: { ...options.env, GLASS_TTY_STATE: 'text' } });
});
afterAll(async () => {
  await Promise.all([client.close(), blind.close()]);
  home.remove();
  mkdirSync('artifacts', { recursive: true });
  const table = ['| program | state | by the kernel | by text alone |', '|---|---|---|---|', ...report.sort()].join(
    '\n',
  );
  writeFileSync('artifacts/states.md', `${table}\n`);
  console.log(table);
});

/** Each row's own terminal. */
let opened = 0;

async function start(server: TestClient, row: Row): Promise<number> {
  if (row.shell !== undefined && REPLS.has(row.shell)) {
    const { structured } = await server.call('start_interactive_shell', { shell_type: row.shell });
    return structured['terminal'] as number;
  }
  const terminal = 1000 + opened++;
  await server.exec('true', { terminal, shell: row.shell ?? 'bash' });
  return terminal;
}

async function followRow(server: TestClient, row: Row): Promise<Followed[]> {
  const terminal = await start(server, row);
  await server.exec(row.command, { terminal, await_completion_ms: 0 });
  const seen = [await follow(server, terminal, row)];
  for (const step of row.next ?? []) {
    // Without waiting for what comes of it: that is what is followed.
    const quick = { terminal, pause_timeout: 0, total_timeout: 0 };
    if (step.keys !== undefined) await server.keys(step.keys, quick);
    const enter = step.answer !== 'q';
    if (step.answer !== undefined) await server.call('respond', { text: step.answer, enter, ...quick });
    seen.push(await follow(server, terminal, step));
  }
  await server.kill({ terminal });
  return seen;
}

/** Once more, where another process has kept the machine from looking in time; a row that is wrong is wrong twice. */
const again = { retry: 1 };

describe('the state of a terminal', again, () => {
  it.concurrent.each(rows.map(row => [row.name, row] as const))('%s', async (_, row) =>
    check(row, await followRow(client, row)),
  );
});

describe('the state of a terminal with a busy program', () => {
  it.each(busy.map(row => [row.name, row] as const))('%s', async (_, row) => check(row, await followRow(client, row)));
});

/** Right in time, and never wrong: neither before the program is there nor while it stays. */
async function check(row: Row, seen: readonly Followed[]): Promise<void> {
  const steps = [row, ...(row.next ?? [])];
  for (const [index, step] of steps.entries()) {
    const followed = seen[index] as Followed;
    expect(followed.last.state, timeline(followed)).toBe(step.state);
    expect(followed.ms, timeline(followed)).toBeLessThanOrEqual(LIMIT_MS);
    const allowed = new Set([
      'starting',
      'prompt',
      'running',
      step.state,
      ...(step.onTheWay ?? []),
      ...before(steps, index),
    ]);
    expect(
      followed.states.map(one => one.state).filter(state => !allowed.has(state)),
      timeline(followed),
    ).toEqual([]);
    const first = followed.states.findIndex(one => one.state === step.state);
    expect(new Set(followed.states.slice(first).map(one => one.state)), timeline(followed)).toEqual(
      new Set([step.state]),
    );
    if (step.process !== undefined)
      expect(followed.last.process?.startsWith(step.process) || followed.last.process?.includes(step.process)).toBe(
        true,
      );
  }
  const [first] = seen;
  report.push(`| ${row.name} | ${row.state} | right after ${Math.round(first?.ms ?? 0)} ms | ${await byText(row)} |`);
}

/** The state before a key was pressed may be told once more. */
function before(steps: readonly { readonly state: string }[], index: number): string[] {
  const previous = steps[index - 1];
  return previous ? [previous.state] : [];
}

async function byText(row: Row): Promise<string> {
  const terminal = await start(blind, row);
  await blind.exec(row.command, { terminal, await_completion_ms: 0 });
  await blind.call('wait', {
    terminals: [terminal],
    until: ['screen'],
    pattern: row.shows.source,
    timeout_seconds: 10,
  });
  const { structured } = await blind.read({ terminal });
  expect(structured['confidence']).not.toBe('kernel');
  await blind.kill({ terminal });
  const { state } = structured;
  return state === row.state ? `${state}` : `${state} (wrong)`;
}
