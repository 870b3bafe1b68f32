import { CELL, type Strip } from './font';
import type { Bitmap } from './png';

/** A bitmap that is drawn cell by cell. Rows and columns are of cells, from 0; colours are 0xrrggbb. */
export class Canvas implements Bitmap {
  readonly width: number;
  readonly height: number;
  /** Two bytes are enough: there are at most two colours for each of 31,250 cells. */
  readonly pixels: Uint16Array;
  private readonly colors = new Map<number, number>();

  constructor(size: { readonly cols: number; readonly rows: number }, background: number) {
    this.width = size.cols * CELL.width;
    this.height = size.rows * CELL.height;
    this.pixels = new Uint16Array(this.width * this.height);
    this.indexOf(background);
  }

  get palette(): readonly number[] {
    return [...this.colors.keys()];
  }

  /** Colours rows of pixels of a cell, `from` to before `to`; all of it without them. */
  fill(row: number, column: number, color: number, from = 0, to: number = CELL.height): void {
    const index = this.indexOf(color);
    for (let y = from; y < to; y++) {
      const at = this.pixelAt(row, column, y);
      this.pixels.fill(index, at, at + CELL.width);
    }
  }

  /** Colours the pixels of a cell that are set in the strip. */
  draw(row: number, column: number, strip: Strip, color: number): void {
    const index = this.indexOf(color);
    for (let y = 0; y < CELL.height; y++) {
      let at = this.pixelAt(row, column, y);
      for (let bits = strip[y] ?? 0; bits !== 0; bits = (bits << 1) & 0xff, at++) {
        if (bits & 0x80) this.pixels[at] = index;
      }
    }
  }

  private pixelAt(row: number, column: number, y: number): number {
    return (row * CELL.height + y) * this.width + column * CELL.width;
  }

  private indexOf(color: number): number {
    const known = this.colors.get(color);
    if (known !== undefined) return known;
    this.colors.set(color, this.colors.size);
    return this.colors.size - 1;
  }
}
