import { createHash } from 'node:crypto';
import type { IBufferCell, IBufferLine } from '@xterm/headless';

/** Undefined for the default colour, 0 to 255 for one of the palette, `TRUE_COLOR` and more for RGB: 0x1rrggbb. */
export type Color = number | undefined;
export const TRUE_COLOR = 0x1000000;

/** A character as it stands on a screen. */
export interface Cell {
  /** From 0. */
  readonly column: number;
  /** With the marks that are laid over it; a blank where nothing was written. */
  readonly text: string;
  /** Columns it takes: 1 or 2. */
  readonly width: number;
  readonly foreground: Color;
  readonly background: Color;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
  readonly isInvisible: boolean;
  readonly isStruck: boolean;
}

/** Cells side by side in one row that are shown in reverse, as programs mark what is selected. All numbers are from 0; `to` is the last column. */
export interface ReversedRun {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The cells of a row, without the blank ones at its end. */
export function readCells(line: IBufferLine): Cell[] {
  const cells: Cell[] = [];
  let length = 0;
  let buffer: IBufferCell | undefined;
  for (let column = 0; column < line.length; column++) {
    buffer = line.getCell(column, buffer);
    // The second half of a wide character has no width.
    if (!buffer || buffer.getWidth() === 0) continue;
    const cell = readCell(buffer, column);
    cells.push(cell);
    if (!isBlank(cell)) length = cells.length;
  }
  return cells.slice(0, length);
}

function readCell(cell: IBufferCell, column: number): Cell {
  return {
    column,
    text: cell.getChars() || ' ',
    width: cell.getWidth(),
    foreground: cell.isFgDefault() ? undefined : cell.getFgColor() + (cell.isFgRGB() ? TRUE_COLOR : 0),
    background: cell.isBgDefault() ? undefined : cell.getBgColor() + (cell.isBgRGB() ? TRUE_COLOR : 0),
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
    isInverse: cell.isInverse() !== 0,
    isInvisible: cell.isInvisible() !== 0,
    isStruck: cell.isStrikethrough() !== 0,
  };
}

function isBlank(cell: Cell): boolean {
  return cell.text === ' ' && cell.background === undefined && !cell.isInverse && !cell.isUnderlined && !cell.isStruck;
}

/** What is equal for rows that look the same. */
export function fingerprint(cells: readonly Cell[]): string {
  const looks = cells.map(cell => Object.values(cell).join()).join('\n');
  return createHash('sha1').update(looks).digest('base64');
}

/** The first `max` runs of reversed cells. */
export function reversedRuns(rows: readonly (readonly Cell[])[], max: number): ReversedRun[] {
  const runs: ReversedRun[] = [];
  for (const [row, cells] of rows.entries()) {
    for (const run of reversedInRow(row, cells)) {
      if (runs.length >= max) return runs;
      runs.push(run);
    }
  }
  return runs;
}

function reversedInRow(row: number, cells: readonly Cell[]): ReversedRun[] {
  const runs: ReversedRun[] = [];
  for (const { column, width, text, isInverse } of cells) {
    if (!isInverse) continue;
    const last = runs.at(-1);
    const to = column + width - 1;
    if (last?.to === column - 1) runs[runs.length - 1] = { ...last, to, text: last.text + text };
    else runs.push({ row, from: column, to, text });
  }
  return runs;
}
