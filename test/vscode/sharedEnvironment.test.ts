import { expect, it } from 'vitest';
import { parseEnviron, sharedVariables } from '../../src/vscode/sharedEnvironment';

it('takes the variables of a process apart', () => {
  expect(parseEnviron('A=1\0B=x=y\nz\0=C:\0EMPTY=\0')).toEqual({ A: '1', B: 'x=y\nz', EMPTY: '' });
});

it('shares what is the person’s, and nothing of VS Code’s own terminal', () => {
  const env = {
    PATH: '/bin',
    VIRTUAL_ENV: '/v',
    VSCODE_IPC_HOOK_CLI: 's',
    TERM_PROGRAM: 'vscode',
    TERM_PROGRAM_VERSION: '1',
  };
  const shell = {
    SHLVL: '1',
    PWD: '/',
    OLDPWD: '/',
    _: '/bin/env',
    ELECTRON_RUN_AS_NODE: '1',
    GLASS_TTY_SESSION: 't-1',
  };
  expect(sharedVariables({ ...env, ...shell })).toEqual({ PATH: '/bin', VIRTUAL_ENV: '/v' });
});

it('leads zsh to the person’s start-up files', () => {
  expect(sharedVariables({ ZDOTDIR: '/tmp/vscode-zsh', USER_ZDOTDIR: '/home/me' })).toEqual({ ZDOTDIR: '/home/me' });
});

it('leaves out the script that asks for git’s passwords in VS Code, but not the person’s own', () => {
  expect(sharedVariables({ GIT_ASKPASS: '/a', VSCODE_GIT_ASKPASS_NODE: '/n' })).toEqual({});
  expect(sharedVariables({ GIT_ASKPASS: '/mine' })).toEqual({ GIT_ASKPASS: '/mine' });
});
