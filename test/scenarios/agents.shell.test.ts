import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';
import { uniqueSleep } from '../helpers/uniqueSleep';

/** What agents do all day, and what breaks them. Each test has a terminal of its own, by its scenario's number. */
describe('an agent', () => {
  let home: Home;
  let client: TestClient;
  beforeAll(async () => {
    home = makeHome({ '.zshrc': '' });
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it('S17 gets fish’s own error for a bash heredoc at once', async () => {
    const reply = await client.exec("cat <<'EOF'\nhello\nEOF", { terminal: 17, shell: 'fish' });
    expect(reply.ms).toBeLessThan(3000);
    expect(reply.structured['completed']).toBe(true);
    expect(reply.structured['exit_code']).not.toBe(0);
    expect(reply.text).toMatch(/fish|redirection|Expected/);
    expect((await client.exec('echo fine', { terminal: 17 })).texts[0]).toBe('fine');
  });

  it('S24 never hangs on `set -euo pipefail`', async () => {
    await client.exec('set -euo pipefail', { terminal: 24 });
    expect((await client.exec('false', { terminal: 24 })).structured).toMatchObject({ exit_code: 1, state: 'exited' });
    expect((await client.exec('echo x', { terminal: 24 })).code).toBe('terminal_exited');
  });

  it.each(['collecting ... ', '> ', '# '])('S28 does not take %j for a prompt', async text => {
    const reply = await client.exec(`printf '${text}'; sleep 1; echo done`, { terminal: 28 });
    expect(reply.structured).toMatchObject({ output: `${text}done`, exit_code: 0, completed: true });
  });

  it('S29 keeps lines that look like prompts or quotes', async () => {
    const lines = [
      '--- a',
      '+++ b',
      '@@ -1 +1 @@',
      '-old',
      '+ new',
      '> quoted',
      '>>> print(1)',
      '... more',
      '$ x',
      '% y',
    ];
    const reply = await client.exec(`cat <<'END'\n${lines.join('\n')}\nEND`, { terminal: 29 });
    expect(reply.texts[0]).toBe(lines.join('\n'));
  });

  it('S32 keeps late noise out of later commands, but readable', async () => {
    const noisy = await client.exec('(sleep .2; yes noise | head -500) & false', { terminal: 32 });
    expect(noisy.structured).toMatchObject({ completed: true, exit_code: 1 });
    const wait = await client.call('wait', { terminals: [32], until: ['silence'], silence_seconds: 0.6 });
    expect(wait.structured['timed_out']).toBe(false);
    expect((await client.exec('echo clean', { terminal: 32 })).texts[0]).toBe('clean');
    const found = await client.call('read_output', { terminal: 32, view: 'search', pattern: '^noise$', context: 0 });
    expect(Number(found.structured['matches'])).toBeGreaterThan(490);
  });

  it('S42 starts a server and waits for its line, past or to come', async () => {
    const started = await client.exec('sleep .4; echo listening on 3000; sleep 1000', {
      terminal: 42,
      await_completion_ms: 0,
    });
    expect(started.structured).toMatchObject({ completed: false, state: 'running' });
    const pattern = { terminals: [42], until: ['pattern'], pattern: 'listening on \\d+' };
    const first = await client.call('wait', pattern);
    expect(first.structured['terminals']).toMatchObject([{ end: 'pattern', line: 'listening on 3000' }]);
    expect((await client.call('wait', pattern)).ms).toBeLessThan(200);
  });

  it('S47 ends what ignores ctrl+c, and says by which signal', async () => {
    const sleep = uniqueSleep();
    await client.exec(`trap '' INT; ${sleep}`, { terminal: 47, await_completion_ms: 200 });
    await client.keys('ctrl+c', { terminal: 47, pause_timeout: 0.2 });
    const killed = await client.kill({ terminal: 47 });
    expect(killed.structured['signal']).toMatch(/^SIG(HUP|TERM|KILL)$/);
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
    expect(stdout).not.toContain(sleep);
  });

  it('waits for any or all of several terminals, and is called off when asked', async () => {
    await client.exec('sleep .3', { terminal: 1, await_completion_ms: 0 });
    await client.exec('sleep 1000', { terminal: 2, await_completion_ms: 0 });
    const any = await client.call('wait', { terminals: [1, 2], mode: 'any' });
    expect(any.structured).toMatchObject({
      timed_out: false,
      terminals: [{ end: 'prompt', exit_code: 0 }, { end: null }],
    });
    const all = await client.call('wait', { terminals: [1, 2], mode: 'all', timeout_seconds: 0.2 });
    expect(all.structured).toMatchObject({ timed_out: true });
    const abort = new AbortController();
    const waiting = client.call('wait', { terminals: [2] }, { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toThrow();
    expect((await client.read({ terminal: 2 })).structured['state']).toBe('running');
  });

  it('talks to a Python prompt, whose lines come back as they are', async () => {
    await client.exec('python3 -q', { terminal: 3, await_completion_ms: 300 });
    await client.call('wait', { terminals: [3], until: ['pattern'], pattern: '^>>> ' });
    expect((await client.call('respond', { terminal: 3, text: '6 * 7', pause_timeout: 0.3 })).text).toContain('\n42\n');
    const over = await client.keys('ctrl+d', { terminal: 3 });
    expect(over.structured).toMatchObject({ state: 'prompt', exit_code: 0 });
    expect(await client.call('respond', { terminal: 3, text: 'x' })).toMatchObject({ code: 'nothing_running' });
  });

  it('answers a [Y/n] question', async () => {
    await client.exec('read -p "Go on? [Y/n] " answer; echo "you said $answer"', {
      terminal: 4,
      await_completion_ms: 200,
    });
    const reply = await client.call('respond', { terminal: 4, text: 'n' });
    expect(reply.structured).toMatchObject({ status: 'completed', exit_code: 0 });
    expect(reply.text).toContain('you said n');
  });

  it('completes a command line that wanted the rest', async () => {
    expect((await client.exec('cat <<EOF', { terminal: 5 })).structured['state']).toBe('continuation');
    const reply = await client.call('respond', { terminal: 5, text: 'inside\nEOF' });
    expect(reply.structured).toMatchObject({ status: 'completed', exit_code: 0, state: 'prompt' });
    expect(reply.text).toContain('\ninside');
  });

  it('pages with less, and leaves it', async () => {
    await client.exec('seq 1 500 | less -X', { terminal: 6, env: { LESS: '' }, await_completion_ms: 300 });
    await client.call('respond', { terminal: 6, text: '/^250$', pause_timeout: 0.3 });
    const screen = await client.call('read_output', { terminal: 6, view: 'screen' });
    expect(screen.texts[0]?.split('\n')[0]).toBe('250');
    const left = await client.call('respond', { terminal: 6, text: 'q', enter: false });
    expect(left.structured).toMatchObject({ status: 'completed', exit_code: 0 });
  });

  it('reads only what is new, each reader by itself', async () => {
    await client.exec('echo one', { terminal: 7 });
    await client.exec('echo two; sleep .3; echo three; sleep 1000', { terminal: 7, await_completion_ms: 0 });
    const first = await client.call('read_output', { terminal: 7, pause_timeout: 0.6 });
    expect(first.texts[0]).toBe('two\nthree');
    const second = await client.call('read_output', { terminal: 7, pause_timeout: 0.1, total_timeout: 0.3 });
    expect(second.structured).toMatchObject({ output: '', status: 'partial' });
  });

  it('reads any lines of a long output, and finds lines in it', async () => {
    const { structured } = await client.exec('seq 1 20000', { terminal: 8 });
    const command_id = structured['command_id'];
    const log = await client.call('read_output', { view: 'log', command_id, from: 9999, to: 10001 });
    expect(log.texts[0]).toBe('9999\n10000\n10001');
    const found = await client.call('read_output', {
      view: 'search',
      command_id,
      pattern: '^12345$',
      context: 1,
    });
    expect(found.texts[0]).toBe('12344- 12344\n12345: 12345\n12346- 12346');
    expect(found.structured['matches']).toBe(1);
    const bad = await client.call('read_output', { terminal: 8, view: 'search', pattern: '(' });
    expect(bad.code).toBe('invalid_pattern');
  });
});

describe('S55 a command of 70 s', () => {
  it('gives progress and the result with a token, and an answer to go on with before 60 s without one', async () => {
    const client = await connectStdio();
    const seen: string[] = [];
    const command = 'for i in $(seq 1 14); do echo tick $i; sleep 5; done';
    const withToken = client.exec(
      command,
      { terminal: 1 },
      { onProgress: message => seen.push(message), timeoutMs: 30_000 },
    );
    const without = client.exec(command, { terminal: 2 }, { timeoutMs: 60_000 });
    const unfinished = await without;
    expect(unfinished.structured).toMatchObject({ completed: false, state: 'running' });
    expect(unfinished.ms).toBeLessThan(60_000);
    const waited = await client.call('wait', { terminals: [2] });
    expect(waited.structured['terminals']).toMatchObject([{ end: 'prompt', exit_code: 0 }]);
    expect((await withToken).structured).toMatchObject({ completed: true, exit_code: 0 });
    expect(seen).toContain('tick 9');
    await client.close();
  }, 120_000);
});
