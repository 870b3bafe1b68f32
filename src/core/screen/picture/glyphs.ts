import type { Cell } from '../cells';
import { CELL, type Font, type Strip } from './font';

/** What stands in a cell: a strip for each of its columns. A character that the font has no picture of is an empty box. */
export function stripsOf({ text, width, isBold, isItalic }: Cell, font: Font): readonly Strip[] {
  const [base = ' ', ...others] = text.normalize('NFC');
  const glyphOf = (character: string) => font.glyph(character.codePointAt(0) ?? 0, isBold);
  const marks = others.filter(isMark).map(glyphOf);
  const layers = [glyphOf(base) ?? box(width), ...marks.filter(mark => mark !== undefined)];
  const strips = layers
    .map(layer => inColumns(layer, width))
    .reduce((below, above) => below.map((strip, index) => over(strip, above[index])));
  return isItalic ? strips.map(slant) : strips;
}

/** Variation selectors are marks that show nothing. */
function isMark(character: string): boolean {
  return /^\p{M}$/u.test(character) && !/^\p{Default_Ignorable_Code_Point}$/u.test(character);
}

/** A glyph in as many columns as the terminal gives it, which need not be those that the font draws it in. */
function inColumns(glyph: readonly Strip[], width: number): readonly Strip[] {
  const [left, right] = glyph;
  if (!left || glyph.length === width) return glyph;
  // Into the middle of two columns; as a byte array keeps only its bits, what is shifted out goes.
  return right
    ? [left.map((row, y) => squeeze((row << 8) | (right[y] ?? 0)))]
    : [left.map(row => row >> 4), left.map(row => row << 4)];
}

/** 16 pixels to 8: one for each two, if either is set. */
function squeeze(row: number): number {
  let squeezed = 0;
  for (let pair = 0; pair < 8; pair++) if ((row >> (2 * pair)) & 3) squeezed |= 1 << pair;
  return squeezed;
}

function over(below: Strip, above: Strip | undefined): Strip {
  return below.map((row, y) => row | (above?.[y] ?? 0));
}

function slant(strip: Strip): Strip {
  return strip.map((row, y) => (y < CELL.height / 2 ? row >> 1 : row));
}

function box(width: number): readonly Strip[] {
  const rows = (edge: number, side: number) =>
    Uint8Array.from({ length: CELL.height }, (_, y) => (y < 2 || y > 13 ? 0 : y === 2 || y === 13 ? edge : side));
  return width === 1 ? [rows(0x7e, 0x42)] : [rows(0x7f, 0x40), rows(0xfe, 0x02)];
}
