import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';
import { OPTIONAL, type Parameter, signatureOf } from './signature';

/** kodegen's document of `terminal`, as it stands: its tables and each of its examples. */
const parameters: Readonly<Record<string, Parameter>> = {
  action: ['string', 'EXEC'],
  terminal: ['integer', 0],
  command: ['string', OPTIONAL],
  await_completion_ms: ['number', 300_000],
  clear: ['boolean', true],
  tail: ['integer', 2000],
};
const fields = ['terminal', 'exit_code', 'cwd', 'duration_ms', 'completed'];

describe('kodegen’s terminal', () => {
  let home: Home;
  let client: TestClient;
  const terminal = (args: Record<string, unknown>) => client.call('terminal', args);

  beforeAll(async () => {
    home = makeHome({
      'package.json': '{"scripts":{"build":"sleep 0.3; echo built"}}',
      'app.log': 'first line\n',
      // The compiler is 400 MB; what the examples show is how it is run.
      'bin/cargo': '#!/bin/sh\necho "cargo $*"; [ "$1" = test ] && sleep 0.2; exit 0\n',
      '.bashrc': 'PATH=$HOME/bin:$PATH; chmod +x $HOME/bin/cargo',
    });
    mkdirSync(join(home.path, 'src'));
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it('has every parameter with its default, and every field', async () => {
    const signature = await signatureOf(client, 'terminal', Object.keys(parameters));
    expect(signature.parameters).toEqual(parameters);
    expect(signature.fields).toEqual(expect.arrayContaining(fields));
  });

  it('Execute Command (default action)', async () => {
    const { texts, structured } = await terminal({ command: 'ls -la' });
    expect(texts[0]).toMatch(/^total \d+\n/);
    expect(texts[0]).toMatch(/ package\.json$/m);
    expect(structured).toMatchObject({ terminal: 0, exit_code: 0, cwd: home.path, completed: true });
    expect(structured['duration_ms']).toBeGreaterThanOrEqual(0);
  });

  it('Execute in Specific Terminal', async () => {
    const { structured } = await terminal({ terminal: 1, command: 'cargo build --release' });
    expect(structured).toMatchObject({ terminal: 1, exit_code: 0, output: 'cargo build --release', completed: true });
  });

  it('Background Execution (fire-and-forget), and how to go on', async () => {
    const started = await terminal({ command: 'npm run build', await_completion_ms: 0 });
    expect(started.structured).toMatchObject({ terminal: 0, exit_code: null, completed: false });
    await client.call('wait', { until: ['prompt'] });
    const read = await terminal({ action: 'READ', terminal: 0 });
    expect(read.text).toContain('built');
    expect(read.structured).toMatchObject({ completed: true, exit_code: 0 });
  });

  it('Execute with Timeout', async () => {
    const { structured } = await terminal({ command: 'cargo test', await_completion_ms: 60_000 });
    expect(structured).toMatchObject({ output: 'cargo test', completed: true, exit_code: 0 });
    const late = await terminal({ command: 'cargo test; sleep 1', await_completion_ms: 50 });
    expect(late.structured).toMatchObject({ completed: false, exit_code: null });
    await client.call('wait', { until: ['prompt'] });
    expect((await terminal({ action: 'READ' })).structured).toMatchObject({ completed: true, exit_code: 0 });
  });

  it('Read Current Buffer, of a command with its real exit code', async () => {
    await terminal({ command: 'echo shown; (exit 7)' });
    const { text, structured } = await terminal({ action: 'READ', terminal: 0 });
    expect(text).toContain('\nshown\n');
    expect(structured).toMatchObject({ terminal: 0, exit_code: 7, completed: true });
  });

  it('List All Terminals', async () => {
    const { structured } = await terminal({ action: 'LIST' });
    expect(structured['terminals']).toMatchObject([
      { terminal: 0, shell: 'bash', cwd: home.path, state: 'prompt', exit_code: 7, session_id: expect.any(String) },
      { terminal: 1, command: 'cargo build --release', title: 'bash', owner: expect.any(String) },
    ]);
  });

  it('Parallel Work Pattern', async () => {
    const [build, test, watch] = await Promise.all([
      terminal({ terminal: 0, command: 'cargo build' }),
      terminal({ terminal: 1, command: 'cargo test' }),
      terminal({ terminal: 2, command: 'tail -f app.log', await_completion_ms: 500 }),
    ]);
    expect([build, test].map(reply => reply.structured['output'])).toEqual(['cargo build', 'cargo test']);
    expect(watch.structured).toMatchObject({ terminal: 2, output: 'first line', completed: false, state: 'running' });
    writeFileSync(join(home.path, 'app.log'), 'second line\n', { flag: 'a' });
    await client.call('wait', { terminals: [2], until: ['pattern'], pattern: '^second line$' });
    expect((await terminal({ action: 'READ', terminal: 2 })).text).toContain('first line\nsecond line');
  });

  it('State preservation: cd and variables persist across calls', async () => {
    await terminal({ command: 'cd src; export KEPT=yes' });
    const { structured } = await terminal({ command: 'echo $KEPT; pwd' });
    expect(structured).toMatchObject({ output: `yes\n${home.path}/src`, cwd: `${home.path}/src` });
  });

  it('VT100 emulation: the rendered output, not raw bytes', async () => {
    const { texts } = await terminal({ command: String.raw`printf '10 %%\r20 %%\r\e[32m30 %%\e[0m\n'` });
    expect(texts[0]).toBe('30 %');
  });

  it('Kill Terminal', async () => {
    const { structured } = await terminal({ action: 'KILL', terminal: 0 });
    expect(structured).toMatchObject({ terminal: 0, completed: true });
    expect(await terminal({ action: 'READ', terminal: 0 })).toMatchObject({ isError: true, code: 'unknown_terminal' });
  });
});
