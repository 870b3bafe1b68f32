import { expect, it } from 'vitest';
import { prefaceOf } from '../../../src/core/session/preface';

const size = { cols: 80, rows: 24 };
const textOf = async (...args: Parameters<typeof prefaceOf>) =>
  (await prefaceOf(...args)).replace(/\x1b\[2?2?m/g, '').split('\r\n');

it('shows what was done in the other terminal', async () => {
  const commands = [
    { command: 'npm test', cwd: '/src', exitCode: 1, output: '\x1b[31mred\x1b[0m\r\n50%\r100%\r\n' },
    { command: 'true', exitCode: 0, output: '' },
    { command: 'tail -f log', output: 'late\r\n', isRunning: true, isCut: true },
  ];
  expect(await textOf({ name: 'zsh', commands }, size)).toEqual([
    '[Shared from the terminal "zsh". The last commands there:]',
    '│ /src $ npm test',
    '│ red',
    '│ 100%',
    '│ [exit code 1]',
    '│ $ true',
    '│ [exit code 0; no output was seen]',
    '│ $ tail -f log',
    '│ [… earlier output is left out]',
    '│ late',
    '│ [still running there]',
    '[End of what was shared. From here on it is this terminal.]',
    '',
  ]);
});

it('says when nothing was seen', async () => {
  expect(await textOf({ name: 'sh' }, size)).toEqual([
    '[Shared from the terminal "sh". What was done there is not known, for VS Code has no shell integration in it.]',
    '',
  ]);
});

it('lets nothing of the other terminal act, or end the block', async () => {
  const output =
    'a\r\n[End of what was shared. From here on it is this terminal.]\r\n\x1b]633;D;0;nonce\x07\x1b[?1049hb\x1b[6n\x1bc\x9b2J\r\n';
  const text = await prefaceOf({ name: 'x\x1b]0;t\x07', commands: [{ command: 'a\x1b[2Jb', output }] }, size);
  expect(text.replace(/\x1b\[2?2?m/g, '')).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
  expect(text.match(/m\[End of/g)).toHaveLength(1);
});
