import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

describe('the tools of interminal', () => {
  let home: Home;
  let client: TestClient;
  let session_id: string;

  const execute = (command: string, more: Record<string, unknown> = {}) =>
    client.call('execute', { session_id, command, ...more });

  beforeAll(async () => {
    home = makeHome();
    const env = { ...home.env, SHELL: '/bin/bash' };
    client = await connectStdio({ cwd: home.path, env, args: ['--no-bridge', '--toolsets', 'all'] });
    session_id = String((await client.call('create_local', {})).structured['session_id']);
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it('create_local gives a session, which list_sessions lists with its shell', async () => {
    const { structured } = await client.call('list_sessions', {});
    expect(structured['sessions']).toContainEqual({ session_id, type: 'local', shell: '/bin/bash' });
  });

  it('execute gives output and exit code of a command that ends', async () => {
    const reply = await execute('echo out; echo err >&2; exit 3');
    expect(reply.structured).toMatchObject({ status: 'completed', output: 'out\nerr', exit_code: 3 });
  });

  it('execute runs each command by itself, in a pty of a sensible size with a controlling terminal', async () => {
    await execute('cd /usr');
    const { structured } = await execute('pwd; tty >/dev/null && stty size; echo $TERM');
    expect(structured['output']).toBe(`${home.path}\n30 120\nxterm-256color`);
  });

  it('execute returns in phase one when nothing comes for pause_timeout and a second', async () => {
    const reply = await execute('sleep 1000', { pause_timeout: 0.2 });
    expect(reply.structured).toMatchObject({ status: 'partial', output: '' });
    expect(reply.ms).toBeGreaterThan(1150);
    expect(reply.ms).toBeLessThan(2000);
    const ended = await client.keys('ctrl+c', { command_id: reply.structured['command_id'] });
    expect(ended.structured['completed']).toBe(true);
  });

  it('execute returns in phase two when output pauses, or when the total time is over', async () => {
    const paused = await execute('echo one; sleep 1000', { pause_timeout: 0.3 });
    expect(paused.structured).toMatchObject({ status: 'partial', output: 'one' });
    expect(paused.ms).toBeLessThan(1000);
    const total = await execute('while :; do echo x; sleep .05; done', { pause_timeout: 1, total_timeout: 0.5 });
    expect(total.structured['status']).toBe('partial');
    expect(total.ms).toBeGreaterThan(480);
    expect(total.ms).toBeLessThan(1500);
  });

  it('respond and read_output go on with a command by its id', async () => {
    const asked = await execute('read -p "name? " n; echo "hello $n"; sleep .4; echo bye', { pause_timeout: 0.2 });
    const command_id = asked.structured['command_id'];
    expect(asked.structured).toMatchObject({ status: 'partial', output: 'name?' });
    const answered = await client.call('respond', { command_id, text: 'Ada', pause_timeout: 0.2 });
    expect(answered.text).toContain('hello Ada');
    const rest = await client.call('read_output', { command_id });
    expect(rest.structured).toMatchObject({ status: 'completed', output: 'bye', exit_code: 0 });
    const again = await client.call('read_output', { command_id, view: 'log' });
    expect(again.text).toContain('hello Ada\nbye');
  });

  it('interrupts the command when the call that started it is cancelled', async () => {
    const abort = new AbortController();
    const command = 'trap "echo interrupted > interrupted; exit" INT; echo ready; while :; do sleep .1; done';
    const call = client.call(
      'execute',
      { session_id, command, pause_timeout: 60 },
      { signal: abort.signal, onProgress: message => message === 'ready' && abort.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await execute('cat interrupted')).structured['output']).toBe('interrupted');
  });

  it('S39 returns when cat waits for input, and ctrl+d ends it', async () => {
    const reply = await execute('cat', { pause_timeout: 0.2 });
    expect(reply.structured['status']).toBe('partial');
    const command_id = reply.structured['command_id'];
    expect((await client.keys('ctrl+d', { command_id })).structured).toMatchObject({ completed: true, exit_code: 0 });
  });

  it('S19 sends keys to cat', async () => {
    const reply = await execute('cat', { pause_timeout: 0.2 });
    const command_id = reply.structured['command_id'];
    await client.call('respond', { command_id, text: 'cafeé 漢字', enter: false, pause_timeout: 0.2 });
    const echoed = await client.keys('backspace, enter', { command_id, pause_timeout: 0.3 });
    expect(echoed.texts[0]).toContain('cafeé 漢');
    await client.keys('ctrl+d', { command_id });
    const log = await client.call('read_output', { command_id, view: 'log' });
    expect(log.texts[0]?.split('\n').filter(line => line === 'cafeé 漢')).toHaveLength(2);
  });

  it.each([
    ['an unknown session', 'execute', { session_id: 's-none', command: 'true' }, 'unknown_session'],
    ['an unknown command', 'read_output', { command_id: 'c-none' }, 'unknown_command'],
    ['an unknown key', 'send_control', { command_id: 'c-none', signal: 'hyper+x' }, 'unknown_command'],
    ['a command and a terminal', 'respond', { command_id: 'c-none', terminal: 0, text: 'x' }, 'invalid_input'],
    ['a shell that is not there', 'create_local', { shell: 'nosuchsh' }, 'shell_not_found'],
  ])('%s is an error that helps', async (_, tool, args, code) => {
    expect(await client.call(tool, args)).toMatchObject({ isError: true, code });
  });

  it('disconnect ends what runs, and the session is gone', async () => {
    const other = String((await client.call('create_local', { shell: 'sh' })).structured['session_id']);
    const started = await client.call('execute', { session_id: other, command: 'sleep 4748', pause_timeout: 0.1 });
    expect(await client.call('disconnect', { session_id: other })).toMatchObject({ isError: false });
    const gone = await client.call('read_output', { command_id: started.structured['command_id'] });
    expect(gone.code).toBe('unknown_command');
    expect((await client.call('list_sessions', {})).text).not.toContain(other);
  });

  it('keeps a bounded number of commands that have ended', async () => {
    for (let i = 0; i < 30; i++) await execute(`echo ${i}`);
    const { structured } = await client.call('terminal', { action: 'LIST', scope: 'all' });
    expect((structured['terminals'] as unknown[]).length).toBeLessThanOrEqual(25);
  });

  it('answers connect_ssh with how to use ssh instead, and sends nothing', async () => {
    const reply = await client.call('connect_ssh', {
      host: 'example.org',
      username: 'ada',
      port: 2222,
      password: 'secret',
    });
    expect(reply).toMatchObject({ isError: true, code: 'ssh_not_available' });
    expect(reply.text).toContain('`ssh -t -p 2222 ada@example.org` by terminal EXEC');
    expect(reply.text).not.toContain('secret');
  });
});
