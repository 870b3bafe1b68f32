import { describe, expect, it } from 'vitest';
import { escapeMark, type Mark, MarkParser, unescapeMark } from '../../../src/core/shell/marks';

function marks(text: string, nonce = 'secret'): Mark[] {
  const found: Mark[] = [];
  new MarkParser(nonce).push(Buffer.from(text), mark => found.push(mark));
  return found;
}

describe('MarkParser', () => {
  it('reads every mark, with its place in the stream', () => {
    expect(marks('ab\x1b]633;A;secret\x07$ \x1b]633;B;secret\x07')).toEqual([
      { kind: 'promptStart', from: 2, to: 17 },
      { kind: 'promptEnd', from: 19, to: 34 },
    ]);
    expect(marks('\x1b]633;E;echo a\\x3b b\\\\c;secret\x07')).toMatchObject([
      { kind: 'commandLine', text: 'echo a; b\\c' },
    ]);
    expect(marks('\x1b]633;D;130;secret\x1b\\')).toMatchObject([{ kind: 'commandEnd', exitCode: 130 }]);
    expect(marks('\x1b]633;D;;secret\x07')).toMatchObject([{ kind: 'commandEnd', exitCode: undefined }]);
    expect(marks('\x1b]633;P;Cwd=/a\\x20b;secret\x07')).toMatchObject([
      { kind: 'property', name: 'Cwd', value: '/a b' },
    ]);
    expect(marks('\x1b]633;F;secret\x07\x1b]633;G;secret\x07')).toMatchObject([
      { kind: 'continuationStart' },
      { kind: 'continuationEnd' },
    ]);
  });

  it.each([
    '\x1b]633;D;0\x07',
    '\x1b]133;D;0\x07',
    '\x1b]633;D;0;\x07',
    '\x1b]633;D;0;wrong\x07',
    '\x1b]633;D;0;Xsecret\x07',
    '\x1b]1633;D;0;secret\x07',
    '\x1b]633;Z;secret\x07',
  ])('does not believe %j', text => {
    expect(marks(text)).toEqual([]);
  });

  it('escapes whatever a path or a command line holds so that it comes back', () => {
    const value = 'a;b \\ \x1b]\x07\n\x7fé';
    expect(unescapeMark(escapeMark(value))).toBe(value);
    expect(escapeMark(value)).not.toMatch(/[\x00-\x20;\x7f]/);
  });
});
