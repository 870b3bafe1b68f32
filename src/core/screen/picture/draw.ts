import type { Cell } from '../cells';
import { Canvas } from './canvas';
import type { Font } from './font';
import { stripsOf } from './glyphs';
import { encodePng } from './png';
import { colorsOf, theme } from './theme';

/** What is drawn of a screen. */
export interface Scene {
  readonly cols: number;
  readonly rows: number;
  /** Row by row. */
  readonly cells: readonly (readonly Cell[])[];
  /** From 0. */
  readonly cursor: { readonly row: number; readonly column: number; readonly isVisible: boolean };
}

/** A picture of a screen, or of the part of it whose top left is this row and column (from 0). */
export interface Picture {
  readonly png: Buffer;
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly cols: number;
}

/** 2000 × 2000 pixels: what is larger, those who run models refuse, or make smaller until nobody can read it. */
const MAX = { cols: 250, rows: 125 } as const;
/** Rows of pixels in a cell, from the top. */
const UNDERLINE = 14;
const STRIKE = 8;

const cursorColors = { foreground: theme.background, background: theme.cursor };

/** Draws a screen, with 8 × 16 pixels for a cell; of one above 250 × 125 cells as much as that, with the cursor in it. */
export async function drawScreen(scene: Scene, font: Font): Promise<Picture> {
  const { cursor } = scene;
  const view = {
    row: Math.max(0, cursor.row + 1 - MAX.rows),
    column: Math.max(0, cursor.column + 1 - MAX.cols),
    rows: Math.min(scene.rows, MAX.rows),
    cols: Math.min(scene.cols, MAX.cols),
  };
  const canvas = new Canvas(view, theme.background);
  if (cursor.isVisible) canvas.fill(cursor.row - view.row, cursor.column - view.column, theme.cursor);
  for (const [row, cells] of scene.cells.slice(view.row, view.row + view.rows).entries()) {
    for (const cell of cells) {
      const column = cell.column - view.column;
      if (column < 0 || column + cell.width > view.cols) continue;
      const isUnderCursor = cursor.isVisible && row + view.row === cursor.row && covers(cell, cursor.column);
      drawCell(canvas, row, column, cell, isUnderCursor ? cursorColors : colorsOf(cell), font);
    }
  }
  return { png: await encodePng(canvas), ...view };
}

function covers(cell: Cell, column: number): boolean {
  return cell.column <= column && column < cell.column + cell.width;
}

function drawCell(
  canvas: Canvas,
  row: number,
  column: number,
  cell: Cell,
  { foreground, background }: { readonly foreground: number; readonly background: number },
  font: Font,
): void {
  const strips = cell.text === ' ' ? [] : stripsOf(cell, font);
  for (let half = 0; half < cell.width; half++) {
    const strip = strips[half];
    if (background !== theme.background) canvas.fill(row, column + half, background);
    if (strip) canvas.draw(row, column + half, strip, foreground);
    if (cell.isUnderlined) canvas.fill(row, column + half, foreground, UNDERLINE, UNDERLINE + 1);
    if (cell.isStruck) canvas.fill(row, column + half, foreground, STRIKE, STRIKE + 1);
  }
}
