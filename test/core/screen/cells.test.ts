import { describe, expect, it } from 'vitest';
import { fingerprint, reversedRuns, TRUE_COLOR } from '../../../src/core/screen/cells';
import { shown } from '../../helpers/shown';

const size = { cols: 20, rows: 3 };

describe('cells', () => {
  it('have colours of the palette, of RGB and the default ones', async () => {
    const { cells } = await shown(
      size,
      'a\x1b[31;44mb\x1b[38;5;208;48;5;16mc\x1b[38;2;1;2;3;48;2;0;0;0md\x1b[94;107me',
    );
    expect(cells[0]?.map(cell => [cell.text, cell.foreground, cell.background])).toEqual([
      ['a', undefined, undefined],
      ['b', 1, 4],
      ['c', 208, 16],
      ['d', TRUE_COLOR + 0x010203, TRUE_COLOR],
      ['e', 12, 15],
    ]);
  });

  it.each([
    [1, 'isBold'],
    [2, 'isDim'],
    [3, 'isItalic'],
    [4, 'isUnderlined'],
    [7, 'isInverse'],
    [8, 'isInvisible'],
    [9, 'isStruck'],
  ])('take SGR %i as %s and nothing else', async (sgr, attribute) => {
    const { cells } = await shown(size, `\x1b[${sgr}mx\x1b[my`);
    const set = cells[0]?.map(cell => Object.entries(cell).flatMap(([name, value]) => (value === true ? [name] : [])));
    expect(set).toEqual([[attribute], []]);
  });

  it('are one for a wide character and for a letter with its marks', async () => {
    const { cells } = await shown(size, '漢e\u0301x');
    expect(cells[0]?.map(cell => [cell.column, cell.width, cell.text])).toEqual([
      [0, 2, '漢'],
      [2, 1, 'e\u0301'],
      [3, 1, 'x'],
    ]);
  });

  it('end with the last one that shows something', async () => {
    const { cells } = await shown(size, 'a   \r\n\x1b[4;1m \x1b[m \r\n\x1b[44m\x1b[K');
    expect(cells.map(row => row.length)).toEqual([1, 1, 20]);
  });
});

describe('reversed runs', () => {
  const menu = ' File  \x1b[7mEdit\x1b[m  View\r\n\x1b[7m漢 \x1b[1mb\x1b[m a\x1b[7mc\x1b[m';

  it('say where and what they are', async () => {
    const { cells } = await shown(size, menu);
    expect(reversedRuns(cells, 50)).toEqual([
      { row: 0, from: 7, to: 10, text: 'Edit' },
      { row: 1, from: 0, to: 3, text: '漢 b' },
      { row: 1, from: 6, to: 6, text: 'c' },
    ]);
  });

  it('are no more than wanted', async () => {
    const { cells } = await shown(size, menu);
    expect(reversedRuns(cells, 2).map(run => run.text)).toEqual(['Edit', '漢 b']);
  });
});

describe('the fingerprint of a row', () => {
  const of = async (data: string) => fingerprint((await shown(size, data)).cells[0] ?? []);

  it('is the same for what looks the same, however it was written', async () => {
    expect(await of('one  ')).toBe(await of('\x1b[3Ge\x1b[1Gon'));
  });

  it.each(['one', '\x1b[7mtwo', '\x1b[31mtwo', ' two'])('is another for %j', async data => {
    expect(await of(data)).not.toBe(await of('two'));
  });
});
