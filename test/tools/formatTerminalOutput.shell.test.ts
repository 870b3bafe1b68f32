import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

describe('format_terminal_output in a terminal', () => {
  let home: Home;
  let client: TestClient;
  const format = (more: Record<string, unknown>) =>
    client.call('format_terminal_output', { content: 'All 12 tests passed', format_type: 'success', ...more });
  const screen = async (terminal: number) => (await client.call('read_output', { terminal, view: 'screen' })).texts[0];

  beforeAll(async () => {
    home = makeHome({ '.bashrc': 'PS1="$ "', '.zshrc': 'PS1="$ "' });
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it.each([
    ['bash', 0],
    ['zsh', 1],
    ['fish', 2],
  ])('shows the person a message above the prompt of %s, and sends the shell nothing', async (shell, terminal) => {
    await client.exec('echo before', { terminal, shell });
    const { structured } = await format({ terminal });
    expect(structured).toMatchObject({
      shown_in: terminal,
      formatted_content: '\u001b[32m✅ All 12 tests passed\u001b[0m',
    });
    const lines = (await screen(terminal))?.split('\n') ?? [];
    const shown = lines.indexOf('✅ All 12 tests passed');
    expect(lines[shown - 1], lines.join('\n')).toBe('before');
    expect(lines[shown + 1]).toMatch(/[$>#] ?$/);
    const next = await client.exec('echo after', { terminal, clear: false });
    expect(next.structured).toMatchObject({ output: 'after', exit_code: 0 });
    expect((await client.call('read_output', { terminal, view: 'log' })).text).not.toContain('12 tests');
    expect(await screen(terminal)).toMatch(/passed\n.*[$>#] +echo after\nafter\n/);
  });

  it('wraps to the width of the terminal', async () => {
    const { structured } = await format({ content: 'word '.repeat(60), terminal: 0 });
    expect((structured['formatted_content'] as string).split('\n').length).toBe(3);
  });

  it('stands between the lines of a running program', async () => {
    await client.exec('echo one; read answer; echo two', { terminal: 3, await_completion_ms: 300 });
    await format({ terminal: 3 });
    const { texts } = await client.call('respond', { terminal: 3, text: 'x' });
    expect(texts[0]).toBe('x\ntwo');
    expect(await screen(3)).toContain('one\n✅ All 12 tests passed\nx\ntwo');
  });

  it('refuses to spoil a full-screen program, and a terminal that is not there', async () => {
    await client.exec(String.raw`printf '\e[?1049hfull'; read answer`, { terminal: 4, await_completion_ms: 300 });
    expect(await format({ terminal: 4 })).toMatchObject({ code: 'screen_taken' });
    expect(await format({ terminal: 77 })).toMatchObject({ code: 'unknown_terminal' });
  });
});
