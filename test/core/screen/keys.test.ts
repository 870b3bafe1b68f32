import { describe, expect, it } from 'vitest';
import { encodeKeys } from '../../../src/core/screen/keys';

const normal = { applicationCursorKeysMode: false, mouseTrackingMode: 'none', sgrMouse: false } as const;
const application = { ...normal, applicationCursorKeysMode: true };

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

  const sgr = { ...normal, mouseTrackingMode: 'vt200', sgrMouse: true } as const;
  const bytes = { ...sgr, sgrMouse: false };
  it.each([
    ['click@3:10', sgr, '\x1b[<0;10;3M\x1b[<0;10;3m'],
    ['Click @ 3 : 10', sgr, '\x1b[<0;10;3M\x1b[<0;10;3m'],
    ['rightclick@1:1', sgr, '\x1b[<2;1;1M\x1b[<2;1;1m'],
    ['ctrl+middleclick@1:300', sgr, '\x1b[<17;300;1M\x1b[<17;300;1m'],
    ['doubleclick@2:2', sgr, '\x1b[<0;2;2M\x1b[<0;2;2m\x1b[<0;2;2M\x1b[<0;2;2m'],
    ['wheelup@5:6*2', sgr, '\x1b[<64;6;5M\x1b[<64;6;5M'],
    ['wheeldown@5:6, enter', sgr, '\x1b[<65;6;5M\r'],
    ['click@3:10', bytes, '\x1b[M *#\x1b[M#*#'],
    ['wheelup@1:1', bytes, '\x1b[M`!!'],
    ['shift+click@3:10', { ...bytes, mouseTrackingMode: 'x10' as const }, '\x1b[M *#'],
  ])('%s with the mouse, in the mode the program has set', (keys, modes, sequence) => {
    expect(encodeKeys(keys, modes)).toBe(sequence);
  });

  it.each([
    ['click@3:10', normal],
    ['click@3:96', bytes],
    ['wheelup@1:1', { ...sgr, mouseTrackingMode: 'x10' as const }],
  ])('refuses %s where the program would not understand it', (keys, modes) => {
    expect(() => encodeKeys(keys, modes)).toThrow(expect.objectContaining({ code: 'mouse_not_wanted' }));
  });

  it('refuses a cell that is none, and the mouse without a cell', () => {
    for (const keys of ['click', 'click@0:1', 'click@1', 'hover@1:1']) {
      expect(() => encodeKeys(keys, sgr)).toThrow(expect.objectContaining({ code: 'unknown_key' }));
    }
  });
});
