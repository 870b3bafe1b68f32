import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawScreen } from '../../../src/core/screen/picture/draw';
import { type Font, loadFont } from '../../../src/core/screen/picture/font';
import { encodePng } from '../../../src/core/screen/picture/png';
import { theme } from '../../../src/core/screen/picture/theme';
import { shown } from '../../helpers/shown';

let font: Font;
beforeAll(async () => {
  font = await loadFont('media/font/glyphs.br');
});

/** A picture's pixels (0xrrggbb), by row and column of the screen. */
async function draw(cols: number, rows: number, data: string, isCursorVisible = false) {
  const scene = await shown({ cols, rows }, data);
  const picture = await drawScreen({ ...scene, cursor: { ...scene.cursor, isVisible: isCursorVisible } }, font);
  return { ...picture, ...decode(picture.png) };
}

function decode(png: Buffer) {
  const { width, height, data } = PNG.sync.read(png);
  const pixel = (x: number, y: number) => data.readUIntBE(4 * (y * width + x), 3);
  const cell = (row: number, column: number) =>
    Array.from({ length: 16 }, (_, y) => Array.from({ length: 8 }, (_, x) => pixel(8 * column + x, 16 * row + y)));
  const colors = (row: number, column: number) => [...new Set(cell(row, column).flat())].sort((a, b) => a - b);
  /** A cell as text, `#` for what is drawn with this colour. */
  const shape = (row: number, column: number, color: number = theme.foreground) =>
    cell(row, column).map(line => line.map(one => (one === color ? '#' : '.')).join(''));
  return { width, height, data, cell, colors, shape };
}

const red = theme.ansi[1];
const blue = theme.ansi[4];
const empty = Array.from({ length: 16 }, () => '........');

describe('a picture of a screen', () => {
  it('has 8 × 16 pixels for each cell', async () => {
    expect(await draw(120, 30, '')).toMatchObject({ width: 960, height: 480, row: 0, column: 0, rows: 30, cols: 120 });
  });

  it('has a character in its two colours alone', async () => {
    const { colors, shape } = await draw(3, 1, '\x1b[31;44mA\x1b[m');
    expect(colors(0, 0)).toEqual([blue, red].sort((a, b) => a - b));
    expect(colors(0, 1)).toEqual([theme.background]);
    expect(shape(0, 0, red)).toEqual([
      '........',
      '........',
      '..####..',
      '.#....#.',
      '.#....#.',
      '.#....#.',
      '.#....#.',
      '.######.',
      '.#....#.',
      '.#....#.',
      '.#....#.',
      '.#....#.',
      '........',
      '........',
      '........',
      '........',
    ]);
  });

  it('takes colours from the 16, the cube, the greys and RGB', async () => {
    const codes = ['40', '107', '48;5;16', '48;5;208', '48;5;231', '48;5;232', '48;5;255', '48;2;1;2;3'];
    const { colors } = await draw(8, 1, codes.map(code => `\x1b[${code}m `).join(''));
    expect(codes.map((_, column) => colors(0, column))).toEqual(
      [0x000000, 0xffffff, 0x000000, 0xff8700, 0xffffff, 0x080808, 0xeeeeee, 0x010203].map(color => [color]),
    );
  });

  it('swaps the colours of reversed cells, blank ones too', async () => {
    const plain = await draw(2, 1, 'A');
    const { shape, colors } = await draw(2, 1, '\x1b[7mA \x1b[m');
    expect(shape(0, 0, theme.background)).toEqual(plain.shape(0, 0));
    expect(colors(0, 1)).toEqual([theme.foreground]);
  });

  it('shows bold, dim, italic, underlined, struck and invisible text', async () => {
    const { shape, colors } = await draw(
      7,
      1,
      ['', '1', '2', '3', '4', '9', '8'].map(sgr => `\x1b[;${sgr}ml`).join(''),
    );
    const plain = shape(0, 0);
    const ink = (column: number) => shape(0, column).join('').split('#').length - 1;
    expect(ink(1)).toBeGreaterThan(ink(0));
    expect(colors(0, 2)).toEqual([theme.background, 0x909090]);
    expect(shape(0, 3)).not.toEqual(plain);
    expect(shape(0, 4)).toEqual(plain.with(14, '########'));
    expect(shape(0, 5)).toEqual(plain.with(8, '########'));
    expect(colors(0, 6)).toEqual([theme.background]);
  });

  it('makes bold text of the first eight colours bright', async () => {
    expect((await draw(1, 1, '\x1b[1;31mA')).colors(0, 0)).toContain(theme.ansi[9]);
  });

  it('gives a wide character 16 pixels', async () => {
    const { shape } = await draw(4, 1, '漢🚀');
    for (const column of [0, 1, 2, 3]) expect(shape(0, column)).not.toEqual(empty);
  });

  it('fits a glyph that is wider than its cell into it', async () => {
    const { shape } = await draw(3, 1, '★x');
    expect(shape(0, 0)).not.toEqual(empty);
    expect(shape(0, 1)).toEqual((await draw(1, 1, 'x')).shape(0, 0));
  });

  it('lays marks over their letter, and shows no variation selectors', async () => {
    const { shape } = await draw(3, 1, 'xx\u0301✔\ufe0f');
    const [plain, marked] = [shape(0, 0), shape(0, 1)];
    expect(marked).not.toEqual(plain);
    expect(marked.slice(5)).toEqual(plain.slice(5));
    expect((await draw(1, 1, 'e\u0301')).shape(0, 0)).toEqual((await draw(1, 1, 'é')).shape(0, 0));
    expect(shape(0, 2)).toEqual((await draw(1, 1, '✔')).shape(0, 0));
  });

  it('has an empty box for what the font does not have', async () => {
    const { shape } = await draw(1, 1, '\uf015');
    expect(shape(0, 0)[2]).toBe('.######.');
    expect(shape(0, 0)[3]).toBe('.#....#.');
  });

  it('joins lines and blocks without gaps', async () => {
    const { shape } = await draw(2, 1, '─█');
    expect(shape(0, 0)).toContain('########');
    expect(shape(0, 1).every(line => line === '########')).toBe(true);
  });

  it('shows the cursor as a block, on a character and behind the text', async () => {
    expect((await draw(3, 1, 'ab', true)).colors(0, 2)).toEqual([theme.cursor]);
    const on = await draw(3, 1, 'ab\x1b[1G', true);
    expect(on.colors(0, 0)).toEqual([theme.background, theme.cursor]);
    expect(on.shape(0, 0, theme.background)).toEqual((await draw(1, 1, 'a')).shape(0, 0));
    expect((await draw(3, 1, '漢\x1b[1G', true)).colors(0, 1)).toEqual([theme.background, theme.cursor]);
    expect((await draw(3, 1, 'ab')).colors(0, 2)).toEqual([theme.background]);
  });

  it('of a huge screen is the part with the cursor', async () => {
    const top = await draw(300, 200, '\x1b[44m \x1b[H');
    expect(top).toMatchObject({ width: 2000, height: 2000, row: 0, column: 0 });
    expect(top.colors(0, 0)).toEqual([blue]);
    const bottom = await draw(300, 200, '\x1b[200;300HX\x1b[200;300H', true);
    expect(bottom).toMatchObject({ width: 2000, height: 2000, row: 75, column: 50 });
    expect(bottom.colors(124, 249)).toEqual([theme.background, theme.cursor]);
  });

  it('with more than 256 colours is as exact as any', async () => {
    const data = Array.from({ length: 400 }, (_, index) => `\x1b[48;2;0;${index >> 8};${index & 0xff}m `).join('');
    const { colors } = await draw(100, 4, data);
    expect([0, 255, 256, 399].map(index => colors(Math.floor(index / 100), index % 100))).toEqual([
      [0],
      [255],
      [256],
      [399],
    ]);
  });

  /** Delete the golden picture, and the test writes it anew: look at it then. */
  it('is the golden one', async () => {
    const golden = 'test/golden/screen.png';
    const scene = [
      '\x1b[7m Menu    Größe ½ \x1b[m\r\n',
      '┌────────┐ \x1b[1;32mbold\x1b[m \x1b[4mline\x1b[m\r\n',
      '│\x1b[7m Quit   \x1b[m│ \x1b[38;5;208m漢字\x1b[m 🚀 ⠋\r\n',
      '└────────┘ \x1b[31mred\x1b[m \x1b[2mdim\x1b[m ✓ ',
    ].join('');
    const { png, width, height, data } = await draw(24, 5, scene, true);
    if (!existsSync(golden)) writeFileSync(golden, png);
    const expected = decode(readFileSync(golden));
    expect([width, height]).toEqual([expected.width, expected.height]);
    expect(data.equals(expected.data)).toBe(true);
  });
});

describe('a PNG', () => {
  it.each([2, 256, 257, 5000])('of %i colours is read by another program as it was written', async count => {
    const palette = Array.from({ length: count }, (_, index) => (index * 3391) & 0xffffff);
    const pixels = Uint16Array.from({ length: 100 * 60 }, (_, index) => index % count);
    const { width, height, data } = decode(await encodePng({ width: 100, height: 60, pixels, palette }));
    expect([width, height]).toEqual([100, 60]);
    const read = Array.from(pixels, (_, index) => data.readUIntBE(4 * index, 3));
    expect(read).toEqual(Array.from(pixels, index => palette[index]));
  });
});
