import { describe, expect, it } from 'vitest';
import { renderCooked, renderText } from '../../../src/core/output/render';

const size = { cols: 40, rows: 10 };
const cooked = (text: string | Uint8Array) => renderCooked(Buffer.from(text as string));
const drawn = (text: string) => renderText(Buffer.from(`\x1b[1;1H${text}`), size);

describe('renderCooked', () => {
  it.each([
    ['lines in LF, no trailing blanks', 'one  \r\ntwo\r\n', ['one', 'two']],
    ['no colours', '\x1b[1;31mred\x1b[0m\r\n', ['red']],
    ['no titles and no links', '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\\r\n', ['ab']],
    ['a line written over after CR', '10%\r 50%\r100%\r\n', ['100%']],
    ['the rest of a longer line under a shorter one', 'abcdef\rxy\r\n', ['xycdef']],
    ['erase to the end of the line', 'abcdef\rxy\x1b[K\r\n', ['xy']],
    ['erase the whole line', 'abcdef\x1b[2K\rxy\r\n', ['xy']],
    ['backspaces', 'ab\b\bcd\r\n', ['cd']],
    ['tabs as a screen shows them', 'a\tb\r\n', ['a       b']],
    ['wide characters without blanks between', '中文\r\n', ['中文']],
    ['wide characters written over', '中文\rab\r\n', ['ab文']],
    ['a blank for the half that is left of a wide character', '中文\rx\r\n', ['x 文']],
    ['a wide character gone whose second half is erased', 'a漢字\b \b\r\n', ['a漢']],
    ['combining characters', 'e\u0301a\rx\r\n', ['xa']],
    ['an unfinished last line', 'one\r\ntw', ['one', 'tw']],
    ['blank lines inside, none at the end', '\r\na\r\n\r\n\r\n', ['', 'a']],
    ['leading blanks kept', '  + a\r\n> b\r\n>>> c\r\n', ['  + a', '> b', '>>> c']],
  ])('shows %s', (_, text, lines) => {
    expect(cooked(text)).toEqual(lines);
  });

  it('keeps a UTF-8 character together that a colour change has cut in two', () => {
    const text = Buffer.concat([Buffer.from([0xc3]), Buffer.from('\x1b[0m'), Buffer.from([0xb8])]);
    expect(cooked(text)).toEqual(['ø']);
  });

  it.each(['\x1b[2J', '\x1b[5;3Hx', '\x1b[?1049h', '\x1b[2Ax', '\x1bM', '\x1b[3r'])('leaves %j to the VT', text => {
    expect(cooked(text)).toBeUndefined();
  });

  it('shows what the VT shows for the same text', async () => {
    const text = 'one\r\nabc\rx\r\n\x1b[32mgreen\x1b[m \ttab\b\bX\r\n中\r\n';
    expect(cooked(text)).toEqual(await drawn(text));
  });
});

describe('renderText', () => {
  it('joins what the screen wraps', async () => {
    expect(await drawn(`${'x'.repeat(100)}\r\ny\r\n`)).toEqual(['x'.repeat(100), 'y']);
  });

  it('puts no blank where a wide character did not fit into the row', async () => {
    expect(await drawn(`${'x'.repeat(39)}中文\r\n`)).toEqual([`${'x'.repeat(39)}中文`]);
  });

  it('shows the final picture of output that moves the cursor', async () => {
    const text = '\x1b[2J\x1b[Hfirst\r\nsecond\x1b[1;1HFIRST\x1b[3;1H';
    expect(await renderText(Buffer.from(text), size)).toEqual(['FIRST', 'second']);
  });
});
