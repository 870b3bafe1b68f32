import { describe, expect, it } from 'vitest';
import { encodeKeys } from '../../../src/core/screen/keys';

const normal = { applicationCursorKeysMode: false };
const application = { applicationCursorKeysMode: true };

describe('encodeKeys', () => {
  it.each([
    ['ctrl+c', '\x03'],
    ['Ctrl + C', '\x03'],
    ['ctrl+\\', '\x1c'],
    ['ctrl+]', '\x1d'],
    ['ctrl+^', '\x1e'],
    ['ctrl+_', '\x1f'],
    ['ctrl+[', '\x1b'],
    ['ctrl+space', '\0'],
    ['esc', '\x1b'],
    ['enter', '\r'],
    ['backspace', '\x7f'],
    ['shift+tab', '\x1b[Z'],
    ['backtab', '\x1b[Z'],
    ['up', '\x1b[A'],
    ['home', '\x1b[H'],
    ['delete', '\x1b[3~'],
    ['pagedown', '\x1b[6~'],
    ['f1', '\x1bOP'],
    ['f5', '\x1b[15~'],
    ['f12', '\x1b[24~'],
    ['alt+x', '\x1bx'],
    ['alt+shift+x', '\x1bX'],
    ['alt+enter', '\x1b\r'],
    ['ctrl+right', '\x1b[1;5C'],
    ['ctrl+shift+alt+up', '\x1b[1;8A'],
    ['shift+f1', '\x1b[1;2P'],
    ['ctrl+delete', '\x1b[3;5~'],
    ['down*3, enter', '\x1b[B\x1b[B\x1b[B\r'],
  ])('%s', (keys, sequence) => {
    expect(encodeKeys(keys, normal)).toBe(sequence);
  });

  it('follows the cursor key mode, but not with modifiers', () => {
    expect(encodeKeys('up,home,ctrl+up', application)).toBe('\x1bOA\x1bOH\x1b[1;5A');
  });

  it.each(['ctrl+', 'hello', 'ctrl+ü', 'meta+x', '', 'constructor', 'q'])(
    'refuses %j and names the keys there are',
    keys => {
      expect(() => encodeKeys(keys, normal)).toThrowError(/There is no key .*backspace/);
    },
  );
});
