import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectHttp, connectStdio, type HttpServer, startHttp, type TestClient } from '../helpers/mcp';

describe('sessions', () => {
  let home: Home;
  let client: TestClient;

  beforeAll(async () => {
    home = makeHome({ '.zshrc': '' });
    client = await connectStdio({ cwd: home.path, env: home.env });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it.each(['bash', 'zsh'])('S25 reports no stale exit code when `set -e` ends %s', async shell => {
    const terminal = shell === 'bash' ? 25 : 26;
    await client.exec('true', { terminal, shell });
    expect((await client.exec('set -e; false', { terminal })).structured).toMatchObject({
      completed: true,
      exit_code: 1,
      state: 'exited',
    });
    expect(await client.exec('echo x', { terminal })).toMatchObject({ code: 'terminal_exited' });
  });

  it('S26 is not confused by a zsh prompt that is drawn again after Enter, nor by RPROMPT', async () => {
    const zshHome = makeHome({
      '.zshrc': `
PROMPT='%~ %# '
RPROMPT='%T'
autoload -Uz add-zle-hook-widget
transient() { PROMPT='> ' RPROMPT= ; zle reset-prompt; PROMPT='%~ %# ' RPROMPT='%T' }
zle -N transient
add-zle-hook-widget line-finish transient
`,
    });
    const zsh = await connectStdio({ cwd: zshHome.path, env: zshHome.env });
    await zsh.exec('true', { shell: 'zsh' });
    for (let round = 0; round < 5; round++) {
      const reply = await zsh.exec(`echo round ${round}; (exit ${round})`);
      expect(reply.structured).toMatchObject({ output: `round ${round}`, exit_code: round, completed: true });
      expect(reply.ms).toBeLessThan(200);
    }
    // No newline at the end: what zsh prints to begin a new line is not the command's.
    expect((await zsh.exec('printf no-newline')).texts[0]).toBe('no-newline');
    await zsh.close();
    zshHome.remove();
  });

  it('S49 survives input in the very moment a session ends', async () => {
    for (let round = 0; round < 20; round++) {
      await client.exec('true', { terminal: 49 });
      const [, keys] = await Promise.all([
        client.exec('exit 3', { terminal: 49 }),
        client.keys('ctrl+c', { terminal: 49, pause_timeout: 0 }),
      ]);
      expect(keys.isError ? keys.code : 'ok').toMatch(/^(ok|terminal_exited)$/);
      await client.kill({ terminal: 49 });
    }
    expect((await client.exec('echo alive', { terminal: 49 })).texts[0]).toBe('alive');
  });
});

describe('bad input', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connectStdio();
    await client.exec('true');
  });
  afterAll(() => client.close());

  it.each([
    ['an unknown terminal', { action: 'READ', terminal: 7 }, 'unknown_terminal', 'Your terminals are: 0'],
    ['an unknown session', { action: 'READ', session_id: 'nope' }, 'unknown_session', 'The sessions of this host'],
    ['an empty command', { command: '  ' }, 'invalid_command', 'command'],
    ['no command', {}, 'invalid_command', 'command'],
    ['wrong types', { terminal: 'zero', command: 'true' }, 'invalid_input', 'terminal: '],
    ['an unknown parameter', { command: 'true', timeout: 3 }, 'invalid_input', 'await_completion_ms'],
    ['an unknown action', { action: 'DANCE' }, 'invalid_input', 'EXEC'],
    ['a shell that does not exist', { command: 'true', terminal: 1, shell: 'nosuchsh' }, 'shell_not_found', 'nosuchsh'],
    ['a directory that does not exist', { command: 'true', terminal: 1, cwd: '/no/such' }, 'cwd_not_found', '/no/such'],
    ['an unknown command id', { action: 'READ', command_id: 'c0' }, 'unknown_command', 'c0'],
    [
      'another shell for a terminal that is open',
      { command: 'true', shell: 'zsh' },
      'terminal_exists',
      'another terminal',
    ],
    ['another directory for a terminal that is open', { command: 'true', cwd: '/usr' }, 'terminal_exists', 'cd'],
    ['an environment for a terminal that is open', { command: 'true', env: { A: 'b' } }, 'terminal_exists', 'export'],
    ['a NUL character', { command: 'echo a\0b' }, 'invalid_command', 'NUL'],
  ])('%s is an error with a code and what to do', async (_, args, code, hint) => {
    const reply = await client.call('terminal', args);
    expect(reply).toMatchObject({ isError: true, code });
    expect(reply.text).toContain(hint);
  });

  it('a busy terminal is refused by name and nothing is lost', async () => {
    const first = client.exec('sleep 0.5; echo finished', { terminal: 3 });
    await client.exec('true', { terminal: 4 });
    const refused = await client.exec('echo intruder', { terminal: 3 });
    expect(refused).toMatchObject({ isError: true, code: 'terminal_busy' });
    expect(refused.text).toContain('sleep 0.5');
    expect((await first).structured).toMatchObject({ output: 'finished', exit_code: 0 });
  });

  it('an unknown key is refused with the keys there are', async () => {
    const reply = await client.keys('ctrl+banana');
    expect(reply).toMatchObject({ isError: true, code: 'unknown_key' });
    expect(reply.text).toContain('pageup');
  });

  it('an unknown tool is an error, too', async () => {
    expect(await client.call('nonsense', {})).toMatchObject({ isError: true, code: 'unknown_tool' });
  });
});

describe('S48 a thousand sessions', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttp({ env: { ENV: '' } });
  });
  afterAll(() => server.stop());

  it('leave no open file and no pty behind', async () => {
    const client = await connectHttp(server.url, server.token);
    const pid = (await client.exec('echo $PPID', { shell: 'sh' })).texts[0]?.trim();
    // Sockets are the test client's, which keeps as many connections as it had calls at once.
    const openFiles = () =>
      readdirSync(`/proc/${pid}/fd`).filter(fd => !readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length;
    const cycle = async (number: number) => {
      await client.exec('true', { terminal: number, shell: 'sh' });
      await client.kill({ terminal: number });
    };
    await cycle(1);
    const before = openFiles();
    for (let batch = 0; batch < 50; batch++) await Promise.all(Array.from({ length: 20 }, (_, i) => cycle(i + 1)));
    expect(openFiles() - before).toBeLessThanOrEqual(2);
    await client.close();
  }, 300_000);
});
