import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findShell } from '../../../src/core/shell/findShell';
import { shellKind, shellTraits, startShell, trimLeadingComments } from '../../../src/core/shell/shells';

const options = { nonce: 'n0nce', scripts: '/opt/glass tty/shell', exports: { PAGER: `it's "c\\d"` }, env: {} };

describe('shellKind', () => {
  test.each([
    ['/bin/bash', 'bash'],
    ['-bash', 'bash'],
    ['bash-5.2', 'bash'],
    ['/usr/local/bin/zsh-5.9', 'zsh'],
    ['C:\\Program Files\\Git\\bin\\bash.exe', 'bash'],
    ['C:\\Windows\\System32\\cmd.EXE', 'cmd'],
    ['powershell.exe', 'pwsh'],
    ['/usr/bin/pwsh', 'pwsh'],
    ['/bin/dash', 'sh'],
    ['/bin/ksh93', 'sh'],
    ['/usr/bin/fish', 'fish'],
    ['/usr/bin/python3', 'python'],
    ['/opt/python3.13', 'python'],
    ['C:\\node\\node.exe', 'node'],
    ['/usr/bin/perl', 'other'],
    ['', 'other'],
  ])('%s is %s', (file, kind) => {
    expect(shellKind(file)).toBe(kind);
  });
});

describe('startShell', () => {
  test('bash reads our script in place of its own start-up file', () => {
    const start = startShell('/bin/bash', options);
    expect(start).toMatchObject({ kind: 'bash', file: '/bin/bash', integration: 'full' });
    expect(start.args).toEqual(['--init-file', '/opt/glass tty/shell/bash.sh', '-i']);
    expect(start.env).toEqual({
      GLASS_TTY_NONCE: 'n0nce',
      GLASS_TTY_EXPORTS: `export PAGER='it'\\''s "c\\d"'`,
    });
  });

  test('zsh is told where the user keeps the start-up files', () => {
    const { env } = startShell('/bin/zsh', { ...options, env: { ZDOTDIR: '/home/me/.config/zsh' } });
    expect(env).toMatchObject({ ZDOTDIR: '/opt/glass tty/shell/zsh', GLASS_TTY_ZDOTDIR: '/home/me/.config/zsh' });
    expect(startShell('/bin/zsh', options).env).not.toHaveProperty('GLASS_TTY_ZDOTDIR');
  });

  test('sh is told of the file that the user names by ENV', () => {
    const { env, integration } = startShell('/bin/dash', { ...options, env: { ENV: '$HOME/.shrc' } });
    expect(env).toMatchObject({ ENV: '/opt/glass tty/shell/sh.sh', GLASS_TTY_ENV: '$HOME/.shrc' });
    expect(integration).toBe('prompt');
  });

  test('fish runs our script after its own files', () => {
    const { args, env } = startShell('/usr/bin/fish', options);
    expect(args).toEqual(['-i', '--init-command', `source '/opt/glass tty/shell/fish.fish'`]);
    expect(env['GLASS_TTY_EXPORTS']).toBe(`set -gx PAGER 'it\\'s "c\\\\d"'`);
  });

  test('PowerShell reads our script as text, whatever its execution policy', () => {
    const { args, env } = startShell('C:\\pwsh.exe', { ...options, scripts: `C:\\it's\\shell` });
    expect(args).toContain(`. ([scriptblock]::Create([IO.File]::ReadAllText('C:/it''s/shell/pwsh.ps1')))`);
    expect(env['GLASS_TTY_EXPORTS']).toBe(`$env:PAGER = 'it''s "c\\d"'`);
  });

  test('a REPL keeps the start-up file and history of the person’s environment', () => {
    const { env } = startShell('/usr/bin/python3', { ...options, env: { PYTHONSTARTUP: '/home/me/.pythonrc' } });
    expect(env).toMatchObject({
      PYTHONSTARTUP: '/opt/glass tty/shell/python.py',
      GLASS_TTY_PYTHONSTARTUP: '/home/me/.pythonrc',
      GLASS_TTY_EXPORTS: `os.environ["PAGER"] = "it's \\"c\\\\d\\""`,
    });
    expect(startShell('/usr/bin/node', options)).toMatchObject({
      args: ['--require', '/opt/glass tty/shell/node.cjs'],
      env: { NODE_REPL_HISTORY: '', GLASS_TTY_EXPORTS: `process.env["PAGER"] = "it's \\"c\\\\d\\"";` },
      integration: 'full',
    });
  });

  test('a program that is no known shell starts as it is, with the exports in its environment', () => {
    const start = startShell('/usr/bin/perl', options);
    expect(start).toEqual({
      kind: 'other',
      file: '/usr/bin/perl',
      args: [],
      env: options.exports,
      integration: 'none',
    });
  });

  test('refuses to export a name that is code', () => {
    expect(() => startShell('/bin/bash', { ...options, exports: { 'A;id': '' } })).toThrow(TypeError);
  });
});

test('traits quote a value so that each shell reads it back', () => {
  expect(shellTraits('bash').quote(`a'b`)).toBe(`'a'\\''b'`);
  expect(shellTraits('fish').quote(`a'b\\`)).toBe(`'a\\'b\\\\'`);
  expect(shellTraits('pwsh').sourceFile(`a'b`)).toBe(`. 'a''b'`);
  expect(shellTraits('zsh').sourceFile('/a b')).toBe(`. '/a b'`);
});

test('trimLeadingComments removes only what comes before the first command', () => {
  expect(trimLeadingComments('# a\n\n  # b\r\nls # c\n# d')).toBe('ls # c\n# d');
  expect(trimLeadingComments('# only a comment')).toBe('# only a comment');
  expect(trimLeadingComments('\n# a\n')).toBe('# a\n');
  expect(trimLeadingComments('ls\n# a')).toBe('ls\n# a');
});

describe('findShell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'glass-find-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const program = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, '');
    chmodSync(file, 0o755);
    return file;
  };
  const bash = program('bash');
  const zsh = program('zsh');
  writeFileSync(join(folder, 'fish'), 'not executable');

  test('finds a name on the PATH and keeps an absolute path', () => {
    expect(findShell('bash', { PATH: `relative:${folder}` }, 'linux')).toBe(bash);
    expect(findShell(zsh, {}, 'linux')).toBe(zsh);
  });

  test('takes the default shell from SHELL, unless it is none', () => {
    expect(findShell(undefined, { SHELL: zsh }, 'linux')).toBe(zsh);
    expect(findShell(undefined, { SHELL: '/usr/sbin/nologin', PATH: folder }, 'linux')).not.toBe('/usr/sbin/nologin');
  });

  test('names what was asked for and what there is', () => {
    const look = () => findShell('fish', { PATH: folder }, 'linux');
    expect(look).toThrow(`No shell "fish" was found. Shells here: ${bash}, ${zsh}.`);
    expect(look).toThrow(expect.objectContaining({ code: 'shell_not_found' }));
  });

  test('looks for extensions on Windows', () => {
    const cmd = program('cmd.exe').replaceAll('/', '\\');
    const found = findShell.bind(undefined, 'cmd', { Path: folder, PATHEXT: '.COM;.EXE' }, 'win32');
    // The paths are Windows', the files are not: only the error can show here what was looked for.
    if (process.platform === 'win32') expect(found()).toBe(cmd);
    else expect(found).toThrow('No shell "cmd" was found');
  });
});

describe('pwsh.ps1, which cannot run here', () => {
  const script = readFileSync(new URL('../../../media/shell/pwsh.ps1', import.meta.url), 'utf8');

  test.each(['A', 'B', 'C', 'D;', 'E;', 'P;Cwd=', 'P;Shell='])('prints %s', mark => {
    expect(script).toMatch(new RegExp(`__GlassMark ['"]${mark}`));
  });

  test('has balanced brackets outside of strings and comments', () => {
    const code = script.replace(/^#.*$| # .*$/gm, '').replace(/'[^'\n]*'|\]633/g, '');
    for (const [open, close] of ['()', '{}', '[]']) {
      expect(code.split(open ?? '').length).toBe(code.split(close ?? '').length);
    }
  });

  test('uses nothing that Windows PowerShell 5.1 lacks', () => {
    expect(script).not.toMatch(/`e|\?\?|\?\.\w|&&|\|\|| -Parallel/);
  });
});
