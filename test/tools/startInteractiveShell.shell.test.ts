import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

describe('start_interactive_shell', () => {
  let home: Home;
  let client: TestClient;
  const start = (args: Record<string, unknown>) => client.call('start_interactive_shell', args);

  beforeAll(async () => {
    home = makeHome({ '.zshrc': 'PROMPT="mine "', '.bashrc': 'PS1="mine "' });
    writeFileSync(join(home.path, 'package.json'), '{"scripts":{"build":"true","test":"true"}}');
    writeFileSync(
      join(home.path, 'Makefile'),
      'CC := gcc\n.PHONY: all\nall: main.o\n\t@true\nclean:\n\ttrue\n%.o: %.c\n\ttrue\n',
    );
    mkdirSync(join(home.path, 'sub'));
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it('starts the shell of its own by default, with its prompt and a help that lists what can be run here', async () => {
    const { structured } = await start({});
    expect(structured).toMatchObject({
      shell_type: 'codomyrmex',
      status: 'started',
      working_directory: home.path,
      startup_commands_executed: 0,
      available_commands: ['npm run build', 'npm run test', 'make all', 'make clean'],
    });
    const terminal = structured['terminal'];
    expect((await client.exec('help', { terminal })).texts[0]).toContain('  make clean');
    const screen = await client.call('read_output', { terminal, view: 'screen' });
    expect(screen.texts[0]).toMatch(/^codomyrmex> +help/m);
  });

  it.each(['bash', 'zsh', 'fish', 'sh'])(
    'starts %s with a prompt that is what was asked for, to the letter',
    async shell_type => {
      const prompt = 'a$HOME `b` \\w %d "c" \'d\'> ';
      const { structured } = await start({ shell_type, prompt });
      const terminal = structured['terminal'];
      const reply = await client.exec('echo fine; false', { terminal });
      expect(reply.structured).toMatchObject({ output: 'fine', exit_code: 1 });
      const screen = await client.call('read_output', { terminal, view: 'screen' });
      expect(
        screen.texts[0]?.split('\n').filter(line => line.startsWith(prompt.trimEnd())).length,
      ).toBeGreaterThanOrEqual(2);
    },
  );

  it('runs the startup commands in order, in the directory, and counts them', async () => {
    const { structured } = await start({
      shell_type: 'bash',
      working_directory: join(home.path, 'sub'),
      startup_commands: ['export A=1', 'cd ..', 'export B=$A$A'],
    });
    expect(structured).toMatchObject({ startup_commands_executed: 3, working_directory: home.path, status: 'started' });
    expect((await client.exec('echo $B', { terminal: structured['terminal'] })).texts[0]).toBe('11');
  });

  it('stops at a startup command that fails, and says which', async () => {
    const { structured } = await start({ shell_type: 'zsh', startup_commands: ['true', '(exit 5)', 'echo never'] });
    expect(structured).toMatchObject({
      status: 'startup_failed',
      startup_commands_executed: 1,
      failed_command: '(exit 5)',
      failed_exit_code: 5,
    });
  });

  it('starts any program, which respond talks to where it gives no marks', async () => {
    const { structured } = await start({ shell_type: '/bin/cat' });
    expect(structured).toMatchObject({ status: 'started', shell_integration: 'none' });
    const terminal = structured['terminal'];
    const reply = await client.call('respond', { terminal, text: 'echo', pause_timeout: 0.3 });
    expect(reply.texts[0]).toBe('echo\necho');
  });

  it.each([
    ['a shell that is not there', { shell_type: 'nosuchshell' }, 'shell_not_found'],
    ['a directory that is not there', { working_directory: '/no/such' }, 'cwd_not_found'],
    ['a prompt for a program that has none to set', { shell_type: '/bin/cat', prompt: '> ' }, 'prompt_not_supported'],
  ])('refuses %s', async (_, args, code) => {
    expect(await start(args)).toMatchObject({ isError: true, code });
  });
});
