import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostClient } from '../../src/rpc/client';
import { AttachViewer, DetachViewer, ViewerInput } from '../../src/rpc/contract';
import { type Home, makeHome } from '../helpers/home';
import { HostBench } from '../helpers/host';
import { connectStdio, type TestClient } from '../helpers/mcp';

describe('what the kernel tells of a terminal', () => {
  let home: Home;
  let client: TestClient;
  const kernel = { confidence: 'kernel', completed: false };

  beforeAll(async () => {
    home = makeHome();
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it.each([
    ['cat', 'cat', 'ctrl+d'],
    ['read x', 'bash', 'ctrl+d'],
    ['grep foo', 'grep', 'ctrl+d'],
  ])(
    'S39 %s without input is in state input within a second, which ends the wait, and %s ends',
    async (command, process, keys) => {
      const reply = await client.exec(command);
      expect(reply.ms).toBeLessThan(1000);
      expect(reply.structured).toMatchObject({ ...kernel, state: 'input', process: expect.stringContaining(process) });
      expect(reply.text).toContain('waits for input');
      expect((await client.keys(keys)).structured).toMatchObject({ state: 'prompt', completed: true });
    },
  );

  it('S40 git log in less is a pager, EXEC into it is refused and names it, q recovers', async () => {
    await client.exec(
      'git init -q repo && cd repo && git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m one',
    );
    await client.exec(
      'for i in $(seq 200); do git -c user.name=T -c user.email=t@example.org commit -q --allow-empty -m $i; done',
    );
    const shown = await client.exec('GIT_PAGER=less git log');
    expect(shown.structured).toMatchObject({ ...kernel, state: 'pager', process: 'less (git log → less)' });
    const refused = await client.exec('echo hi');
    expect(refused).toMatchObject({ isError: true, code: 'terminal_busy' });
    expect(refused.text).toMatch(/less shows a page.*respond "q"/);
    const left = await client.call('respond', { text: 'q', enter: false });
    expect(left.structured).toMatchObject({ state: 'prompt', completed: true });
    expect((await client.exec('echo hi')).structured).toMatchObject({ output: 'hi' });
  });

  it.each(['cat <<EOF', 'echo "abc', 'if true'])('S15 %j is a continuation, as the kernel confirms', async command => {
    const reply = await client.exec(command);
    expect(reply.ms).toBeLessThan(1000);
    expect(reply.structured).toMatchObject({ ...kernel, state: 'continuation' });
    expect((await client.keys('ctrl+c')).structured).toMatchObject({ state: 'prompt' });
  });

  it('names the program with what started it, and the ports it listens on', async () => {
    const script = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log('port', this.address().port) })`;
    await client.exec(`sh -c 'node -e "${script.replaceAll("'", `'\\''`)}"; true'`, {
      terminal: 1,
      await_completion_ms: 0,
    });
    const met = await client.call('wait', { terminals: [1], until: ['pattern'], pattern: '^port \\d+$' });
    const port = Number(/port (\d+)/.exec(met.text)?.[1]);
    const { structured } = await client.read({ terminal: 1 });
    expect(structured).toMatchObject({ ...kernel, state: 'running', ports: [port] });
    expect(structured['process']).toMatch(/^node \(sh -c .* → node -e /);
    await client.kill({ terminal: 1 });
  });
});

describe('with a mirror open', () => {
  let bench: HostBench;
  let host: HostClient;
  const owner = { kind: 'window', id: 'lm', label: 'Copilot' } as const;
  const call = async (name: string, input: Record<string, unknown>) => {
    const options = { signal: new AbortController().signal, patienceMs: 30_000, onProgress() {} };
    const caller = { owner, cwd: bench.folder, shell: '/bin/bash' };
    return (await host.invoke(name, input, caller, options)).structured ?? {};
  };
  beforeAll(async () => {
    bench = new HostBench();
    host = await bench.start();
  });
  afterAll(() => bench.dispose());

  it('S21 each query is answered once, and nothing of an answer is left at the next prompt', async () => {
    await call('terminal', { command: 'true' });
    const [session] = await host.sessions();
    await host.request(AttachViewer, { id: session?.id ?? '' });
    const ask = String.raw`stty -echo -icanon; printf '\e]11;?\a\e[c\e[6n'; IFS= read -rt1 -d '' x; stty sane; printf '%q\n' "$x"`;
    const { command_id } = await call('terminal', { command: ask });
    await call('wait', { until: ['prompt'] });
    const reply = await call('terminal', { action: 'READ', command_id });
    expect(reply).toMatchObject({ exit_code: 0, state: 'prompt' });
    const answers = String(reply['output']);
    expect(answers.match(/\[\?1;2c/g)).toHaveLength(1);
    expect(answers.match(/\[\d+;\d+R/g)).toHaveLength(1);
    expect(await call('terminal', { command: 'echo clean' })).toMatchObject({ output: 'clean', exit_code: 0 });
  });

  it('S23 two lines are one bracketed paste after a flood and a viewer that comes back', async () => {
    const [session] = await host.sessions();
    const id = session?.id ?? '';
    const program = String.raw`printf '\e[?2004h'; head -c 300000 /dev/zero | tr '\0' x; stty -icanon -echo; echo; echo ready; IFS= read -rd Z x; stty sane; printf '\e[?2004l%q\n' "$x"`;
    await call('terminal', { command: program, await_completion_ms: 0 });
    await call('wait', { until: ['pattern'], pattern: '^ready$' });
    host.notify(DetachViewer, { id });
    const { replay } = await host.request(AttachViewer, { id });
    expect(replay).toContain('\u001b[?2004h');
    await call('wait', { until: ['input'] });
    const reply = await call('respond', { text: 'one\ntwo', enter: false });
    expect(reply).toMatchObject({ state: 'input', confidence: 'kernel' });
    host.notify(ViewerInput, { id, data: 'Z' });
    await call('wait', { until: ['prompt'] });
    const last = await call('terminal', { action: 'READ', command_id: reply['command_id'] });
    expect(last['output']).toContain(String.raw`$'\E[200~one\ntwo\E[201~'`);
  });
});
