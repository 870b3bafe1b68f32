import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

/** Pixels row by row, each the index of a colour (0xrrggbb) in the palette. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint16Array;
  readonly palette: readonly number[];
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Colour types (PNG specification, 11.2.2). */
const INDEXED = 3;
const TRUE_COLOR = 2;

/** A PNG with a palette, or of RGB pixels when there are more than 256 colours. Unfiltered: flat areas deflate best so. */
export async function encodePng(bitmap: Bitmap): Promise<Buffer> {
  const { width, height, palette } = bitmap;
  const isIndexed = palette.length <= 256;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, isIndexed ? INDEXED : TRUE_COLOR], 8);
  const data = await promisify(deflate)(isIndexed ? indexedLines(bitmap) : trueColorLines(bitmap));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(isIndexed ? [chunk('PLTE', Buffer.from(palette.flatMap(rgb)))] : []),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each line begins with the number of its filter, 0 for none. */
function indexedLines({ width, height, pixels }: Bitmap): Uint8Array {
  const lines = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return lines;
}

function trueColorLines({ width, height, pixels, palette }: Bitmap): Uint8Array {
  const colors = palette.map(rgb);
  const lines = new Uint8Array(height * (3 * width + 1));
  for (let y = 0, at = 0; y < height; y++) {
    at++;
    for (let x = 0; x < width; x++, at += 3) lines.set(colors[pixels[y * width + x] ?? 0] ?? [], at);
  }
  return lines;
}

function rgb(color: number): number[] {
  return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(body, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
