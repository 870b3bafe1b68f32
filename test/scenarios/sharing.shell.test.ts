import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostClient } from '../../src/rpc/client';
import { AttachViewer, SessionChanged, SetKeyboard, SetRules, ViewerData, ViewerInput } from '../../src/rpc/contract';
import type { Caller } from '../../src/tools/tool';
import { HostBench } from '../helpers/host';

let bench: HostBench;
let host: HostClient;
let caller: Caller;
/** Every message that leaves the host: what viewers get, changes of sessions, progress, replies. */
let messages: string[];

const call = async (name: string, input: Record<string, unknown>) => {
  const signal = new AbortController().signal;
  const onProgress = (message: string) => void messages.push(message);
  const outcome = await host.invoke(name, input, caller, { signal, patienceMs: 30_000, onProgress });
  messages.push(JSON.stringify(outcome));
  return {
    ...outcome.structured,
    output: outcome.content[0] ?? '',
    text: outcome.content.join('\n'),
    code: outcome.error?.code,
  };
};
const exec = (command: string, more: Record<string, unknown> = {}) => call('terminal', { command, ...more });
const idOf = async () => (await host.sessions())[0]?.id ?? '';
const type = (id: string, data: string) => host.notify(ViewerInput, { id, data });

beforeEach(async () => {
  bench = new HostBench();
  caller = { owner: { kind: 'window', id: 'lm', label: 'Copilot' }, cwd: bench.folder, shell: '/bin/bash' };
  host = await bench.start();
  messages = [];
  host.on(ViewerData, update => void messages.push(update.data));
  host.on(SessionChanged, change => void messages.push(JSON.stringify(change)));
});
afterEach(() => bench.dispose());

describe('a program that asks for a secret', () => {
  const ask = `stty -echo; printf 'Password: '; read p; stty echo; echo; echo "$p" | sha256sum | cut -c1-8`;

  it('ends the waits at once, and is told in words that ask for none', async () => {
    const asked = await exec(ask);
    expect(asked).toMatchObject({ state: 'secret', confidence: 'kernel', completed: false, code: undefined });
    expect(asked.text).toMatch(/asks for a password.*do not ask for it in the chat/);
    expect(await call('wait', { until: ['exit'] })).toMatchObject({ terminals: [{ end: 'secret', state: 'secret' }] });
    const quick = performance.now();
    await call('read_output', { pause_timeout: 20 });
    expect(performance.now() - quick).toBeLessThan(5000);
  });

  it('gets nothing from the agent but the key that gives it up', async () => {
    await exec(ask);
    expect(await call('respond', { text: 'guess' })).toMatchObject({ code: 'secret_expected' });
    expect(await call('send_control', { signal: 'enter' })).toMatchObject({ code: 'secret_expected' });
    expect(await exec('echo hi')).toMatchObject({ code: 'terminal_busy' });
    expect(await call('send_control', { signal: 'ctrl+c' })).toMatchObject({ state: 'prompt', exit_code: 130 });
    await exec('stty echo');
    host.notify(SetRules, { quietMs: 5000, agentMayTypeSecrets: true });
    await exec(ask);
    expect(await call('respond', { text: 'allowed' })).toMatchObject({
      code: undefined,
      state: 'prompt',
      exit_code: 0,
    });
  });

  it('leaves no trace of what the person types: 200 secrets, none in a message or on the disk', async () => {
    await exec('true');
    const id = await idOf();
    await host.request(AttachViewer, { id });
    const secrets = Array.from({ length: 200 }, () => `s3cr3t${randomBytes(9).toString('hex')}`);
    await exec(`for i in $(seq 200); do ${ask}; done`, { await_completion_ms: 0 });
    for (const [index, secret] of secrets.entries()) {
      await call('wait', { until: ['secret'] });
      if (index % 20 === 0) await call('terminal', { action: 'READ' });
      type(id, `${secret}\r`);
      await call('wait', { until: ['pattern'], pattern: sha(secret) });
    }
    await call('wait', { until: ['prompt'] });
    await call('read_output', { view: 'log' });
    await call('read_output', { view: 'log', unit: 'bytes' });
    await call('terminal', { action: 'LIST' });
    const said = messages.join('\n');
    expect(said).toContain(sha(secrets[199] ?? ''));
    expect(secrets.filter(secret => said.includes(secret))).toEqual([]);
    const kept = filesIn(bench.directory)
      .map(file => readFileSync(file, 'latin1'))
      .join('\n');
    expect(secrets.filter(secret => kept.includes(secret))).toEqual([]);
  }, 120_000);
});

describe('the keyboard', () => {
  it('is the person’s while half a line of theirs stands at the prompt, which is neither wiped nor run', async () => {
    await exec('true');
    const id = await idOf();
    host.notify(SetRules, { quietMs: 50, agentMayTypeSecrets: false });
    type(id, 'echo mi');
    await vi.waitFor(async () => expect((await call('read_output', { view: 'screen' })).output).toContain('echo mi'));
    // The quiet time is over by now.
    expect(await exec('echo agent')).toMatchObject({ code: 'human_typing' });
    expect(await call('respond', { text: 'x' })).toMatchObject({
      code: expect.stringMatching(/human_typing|nothing_running/),
    });
    expect(await call('send_control', { signal: 'ctrl+c' })).toMatchObject({ code: 'human_typing' });
    const waiting = call('wait', { until: ['keyboard'] });
    type(id, 'ne\r');
    expect(await waiting).toMatchObject({ terminals: [{ end: 'keyboard' }] });
    expect((await call('terminal', { action: 'READ' })).output).toContain('\nmine\n');
    expect(await exec('echo agent')).toMatchObject({ output: 'agent', exit_code: 0 });
  });

  it('goes back when the person wipes the line, after a quiet time, and when it is handed back', async () => {
    await exec('true');
    const id = await idOf();
    type(id, 'half');
    await vi.waitFor(async () => expect(await exec('echo no')).toMatchObject({ code: 'human_typing' }));
    type(id, '\x15');
    await call('wait', { until: ['keyboard'] });
    expect(await exec('echo yes')).toMatchObject({ output: 'yes' });

    // Wiped key by key, which only the screen tells.
    host.notify(SetRules, { quietMs: 200, agentMayTypeSecrets: false });
    type(id, 'ab');
    type(id, '\x7f\x7f');
    await call('wait', { until: ['keyboard'] });
    expect(await exec('echo again')).toMatchObject({ output: 'again' });

    await exec('cat', { await_completion_ms: 0 });
    host.notify(SetRules, { quietMs: 400, agentMayTypeSecrets: false });
    type(id, 'person\r');
    await vi.waitFor(async () => expect((await call('terminal', { action: 'READ' })).output).toMatch(/person\nperson/));
    expect(await call('respond', { text: 'agent' })).toMatchObject({ code: 'human_typing' });
    await call('wait', { until: ['keyboard'] });
    expect(await call('respond', { text: 'agent' })).toMatchObject({ output: 'agent\nagent' });

    host.notify(SetKeyboard, { id, holder: 'person' });
    await vi.waitFor(async () =>
      expect((await host.sessions())[0]).toMatchObject({ keyboard: 'person', isTakenOver: true }),
    );
    expect(await call('send_control', { signal: 'ctrl+c' })).toMatchObject({ code: 'human_typing' });
    host.notify(SetKeyboard, { id, holder: 'agent' });
    await call('wait', { until: ['keyboard'] });
    expect(await call('send_control', { signal: 'ctrl+d' })).toMatchObject({ state: 'prompt', exit_code: 0 });
  });

  it('is the person’s when what they typed ahead stands at the next prompt', async () => {
    await exec('true');
    const id = await idOf();
    host.notify(SetRules, { quietMs: 10, agentMayTypeSecrets: false });
    await exec('sleep 0.6', { await_completion_ms: 0 });
    type(id, 'echo ahead');
    await call('wait', { until: ['prompt'] });
    expect(await exec('echo agent')).toMatchObject({ code: 'human_typing' });
    type(id, '\r');
    await call('wait', { until: ['keyboard'] });
    expect((await call('terminal', { action: 'READ' })).output).toMatch(/\nahead(\n|$)/);
    // Taken by the program, it is not at the prompt.
    await exec('read -n1 key; sleep 0.3', { await_completion_ms: 0 });
    await call('wait', { until: ['input'] });
    type(id, 'k');
    await call('wait', { until: ['prompt'] });
    await call('wait', { until: ['keyboard'] });
    expect(await exec('echo $key')).toMatchObject({ output: 'k' });
  });

  it('marks a command that the person ran', async () => {
    await exec('true');
    const id = await idOf();
    type(id, 'false\r');
    const read = await vi.waitFor(async () => {
      const reply = await call('terminal', { action: 'READ' });
      expect(reply).toMatchObject({ command_by: 'person', exit_code: 1, completed: true });
      return reply;
    });
    expect(read.text).toContain('a person ran this');
  });

  it('keeps two writers apart: 500 interleavings, no byte of one in a line of the other', async () => {
    await exec('true');
    const id = await idOf();
    host.notify(SetRules, { quietMs: 1, agentMayTypeSecrets: false });
    const random = seeded(4711);
    const counts = { run: 0, refused: 0 };
    for (let round = 0; round < 500; round++) {
      const line = `echo P${round}`;
      const cut = Math.floor(random() * (line.length + 1));
      const isAgentFirst = random() < 0.5;
      if (!isAgentFirst) type(id, line.slice(0, cut));
      const agent = exec(`echo A${round}`);
      if (isAgentFirst) type(id, line.slice(0, cut));
      if (random() < 0.3) await agent;
      type(id, `${line.slice(cut)}\r`);
      const { code, output } = await agent;
      if (code) expect(code).toMatch(/^(human_typing|terminal_busy)$/);
      // The tty echoes what is typed ahead into the output of what runs.
      else expect(output).toMatch(new RegExp(`A${round}(\n|$)`));
      counts[code ? 'refused' : 'run']++;
      await call('wait', { until: ['pattern'], pattern: `^P${round}$` });
      await call('wait', { until: ['prompt'] });
    }
    expect(counts.run).toBeGreaterThan(50);
    expect(counts.refused).toBeGreaterThan(50);
    const mixed = await call('read_output', { view: 'search', pattern: 'not found' });
    expect(mixed).toMatchObject({ matches: 0 });
  }, 120_000);
});

function sha(secret: string): string {
  return createHash('sha256').update(`${secret}\n`).digest('hex').slice(0, 8);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(file => statSync(file).isFile());
}

/** A linear congruential generator, so that a failure can be seen again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
