import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Size of a cell in pixels. */
export const CELL = { width: 8, height: 16 } as const;

/** A column of a glyph that is one cell wide: a byte for each row, the leftmost pixel in its highest bit. */
export type Strip = Uint8Array;

/** Code points without a gap, and the place of the first one's strip. */
interface Run {
  readonly first: number;
  readonly count: number;
  readonly strip: number;
}

/** Where the strips of a face are: those of its narrow glyphs, then the left halves of all its wide ones, then their right halves. */
interface Face {
  readonly narrow: readonly Run[];
  readonly wide: readonly Run[];
  readonly wideCount: number;
}

type FaceName = 'normal' | 'bold' | 'rest';
type Table = Readonly<Record<'narrow' | 'wide', readonly (readonly [first: number, count: number])[]>>;

/** Bitmaps of characters, as media/font/make.py packs them: a line of JSON that says which characters there are, and their strips. */
export class Font {
  private readonly faces: Readonly<Record<FaceName, Face>>;
  private readonly strips: Uint8Array;

  constructor(unpacked: Buffer) {
    const end = unpacked.indexOf('\n');
    const tables = JSON.parse(unpacked.toString('utf8', 0, end)) as Record<FaceName, Table>;
    let next = 0;
    const place = (pairs: Table['narrow']): Run[] =>
      pairs.map(([first, count]) => {
        next += count;
        return { first, count, strip: next - count };
      });
    const face = (name: FaceName): Face => {
      const narrow = place(tables[name].narrow);
      const from = next;
      const wide = place(tables[name].wide);
      const wideCount = next - from;
      next += wideCount;
      return { narrow, wide, wideCount };
    };
    // In the order in which they are packed.
    this.faces = { normal: face('normal'), bold: face('bold'), rest: face('rest') };
    this.strips = unpacked.subarray(end + 1);
  }

  /** The strips of a character, one or two; undefined if there is no picture of it. */
  glyph(code: number, isBold: boolean): readonly Strip[] | undefined {
    const main = this.find(isBold ? this.faces.bold : this.faces.normal, code);
    if (main) return main;
    const other = this.find(this.faces.rest, code);
    return isBold ? other?.map(thicken) : other;
  }

  private find({ narrow, wide, wideCount }: Face, code: number): readonly Strip[] | undefined {
    const single = stripOf(narrow, code);
    if (single !== undefined) return [this.strip(single)];
    const left = stripOf(wide, code);
    return left === undefined ? undefined : [this.strip(left), this.strip(left + wideCount)];
  }

  private strip(index: number): Strip {
    return this.strips.subarray(index * CELL.height, (index + 1) * CELL.height);
  }
}

/** Bold for what has no bold form. */
function thicken(strip: Strip): Strip {
  return strip.map(row => row | (row >> 1));
}

/** By halving: the runs are sorted. */
function stripOf(runs: readonly Run[], code: number): number | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (!run) return undefined;
    if (code < run.first) high = middle - 1;
    else if (code >= run.first + run.count) low = middle + 1;
    else return run.strip + code - run.first;
  }
  return undefined;
}

const loading = new Map<string, Promise<Font>>();

/** The font at this path, which is read and unpacked (2 MB) when the first picture is drawn. */
export function loadFont(path: string): Promise<Font> {
  let font = loading.get(path);
  if (!font) {
    font = readFile(path)
      .then(bytes => promisify(brotliDecompress)(bytes))
      .then(unpacked => new Font(unpacked));
    loading.set(path, font);
    font.catch(() => loading.delete(path));
  }
  return font;
}
