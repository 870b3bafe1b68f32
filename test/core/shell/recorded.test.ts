import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Recording, replay } from '../../helpers/recording';

describe.each(['bash', 'zsh', 'fish', 'dash'])('a recorded %s', shell => {
  const recording = JSON.parse(readFileSync(`test/recordings/${shell}.json`, 'utf8')) as Recording;
  const length = Buffer.from(recording.bytes, 'base64').length;
  const whole = replay(recording, []);

  it('gives each command with its exit code, its directory and its very bytes', () => {
    const outputs = whole.commands.map(({ text, exitCode, cwd, output }) => ({
      text,
      exitCode,
      cwd,
      output: plain(output),
    }));
    const numbers = Array.from({ length: 200 }, (_, i) => `${i + 1}\r\n`).join('');
    expect(outputs.slice(0, 6)).toEqual([
      { text: 'echo hello', exitCode: 0, cwd: '/', output: 'hello\r\n' },
      { text: expect.stringContaining('red'), exitCode: 0, cwd: '/', output: 'red \xc3\xb8 \xe4\xb8\xad\r\n' },
      { text: expect.stringContaining('false'), exitCode: 1, cwd: '/', output: '' },
      { text: 'cd /usr', exitCode: 0, cwd: '/', output: '' },
      { text: 'seq 1 200', exitCode: 0, cwd: '/usr', output: numbers },
      { text: "printf 'no newline'", exitCode: 0, cwd: '/usr', output: 'no newline' },
    ]);
    if (whole.commands.length > 6) {
      expect(outputs[6]).toMatchObject({ exitCode: 5, output: 'in a heredoc\r\nsecond\r\n' });
    }
  });

  it('gives the same commands and bytes however it is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(length), { maxLength: 40 }), cuts => {
        const cut = replay(recording, cuts);
        expect(cut.commands).toEqual(whole.commands);
        expect(cut.bytes.equals(whole.bytes)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same byte by byte', () => {
    expect(
      replay(
        recording,
        Array.from({ length }, (_, i) => i),
      ).commands,
    ).toEqual(whole.commands);
  });
});

/** Without escape sequences, and without the CR that fish prints before a command's output. */
function plain(output: string): string {
  return output
    .replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[a-zA-Z]|\x1b\(B/g, '')
    .replace(/^\r(?!\n)/, '');
}
