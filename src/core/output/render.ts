import { eastAsianWidth } from 'get-east-asian-width';
import { bufferLines, createTerminal } from '../screen/headless';
import { decodeUtf8, Tokenizer } from '../screen/tokenizer';

const LF = 0x0a;
const CR = 0x0d;
const BS = 0x08;
const TAB = 0x09;
const TAB_STOP = 8;
/** Lines the VT keeps when output has to be drawn to be understood; what scrolls out above is lost to the text, not to the log. */
const VT_SCROLLBACK = 20_000;

/**
 * The text a piece of output shows, as lines without trailing blanks: what a person reads, not what was sent. Colours and titles leave
 * nothing; a carriage return writes over the line; a line that the screen wraps stays one line.
 *
 * Output that moves the cursor about is drawn by a VT of `cols` × `rows`, everything else by a much faster line renderer.
 */
export async function renderText(bytes: Uint8Array, size: { cols: number; rows: number }): Promise<string[]> {
  return renderCooked(bytes) ?? (await renderDrawn(bytes, size));
}

/** As `renderText`, but undefined for output that has to be drawn. */
export function renderCooked(bytes: Uint8Array): string[] | undefined {
  const lines = new LineRenderer();
  const tokenizer = new Tokenizer();
  let needsDrawing = false;
  tokenizer.push(bytes, (kind, token) => {
    if (needsDrawing) return;
    if (kind === 'text') lines.text(token);
    else if (kind === 'csi') needsDrawing = !lines.csi(token);
    else if (kind === 'esc') needsDrawing = movesCursor(token);
  });
  return needsDrawing ? undefined : lines.finish();
}

async function renderDrawn(bytes: Uint8Array, size: { cols: number; rows: number }): Promise<string[]> {
  const terminal = createTerminal(size, VT_SCROLLBACK);
  const kept: Uint8Array[] = [];
  new Tokenizer().push(bytes, (kind, token) => {
    if (kind !== 'broken') kept.push(token);
  });
  await new Promise<void>(done => terminal.write(Buffer.concat(kept), done));
  const lines = bufferLines(terminal);
  terminal.dispose();
  return lines;
}

/** Index (D), next line (E), reverse index (M), restore cursor (8) and reset (c) move the cursor; other plain escapes do not. */
function movesCursor(token: Uint8Array): boolean {
  return token.length === 2 && '8DEMc'.includes(String.fromCharCode(token[1] ?? 0));
}

/** The line under the cursor as characters, and the finished lines above it. */
class LineRenderer {
  private readonly lines: string[] = [];
  /** The current line while it is only appended to; `cells` takes over once something is written over it. */
  private plain = '';
  private plainWidth = 0;
  private cells: string[] | undefined;
  private column = 0;
  /** UTF-8 that a control sequence or the end of a piece has cut in two. */
  private cut: Uint8Array | undefined;

  text(bytes: Uint8Array): void {
    const all = this.cut ? Buffer.concat([this.cut, bytes]) : bytes;
    this.cut = undefined;
    let start = 0;
    for (let at = 0; at < all.length; at++) {
      const byte = all[at] ?? 0;
      if (byte >= 0x20 && byte !== 0x7f) continue;
      if (at > start) this.put(decodeUtf8(all.subarray(start, at)));
      start = at + 1;
      if (byte === LF) this.newLine();
      else if (byte === CR) this.column = 0;
      else if (byte === BS) this.column = Math.max(0, this.column - 1);
      else if (byte === TAB) this.tab();
    }
    const rest = all.subarray(start);
    const whole = rest.length - incompleteTail(rest);
    if (whole > 0) this.put(decodeUtf8(rest.subarray(0, whole)));
    if (whole < rest.length) this.cut = rest.subarray(whole);
  }

  /** False for a sequence that this renderer cannot do. */
  csi(token: Uint8Array): boolean {
    const final = token[token.length - 1];
    const parameters = decodeUtf8(token.subarray(2, -1));
    // Colours; and modes that change no text. Modes 1049, 1047 and 47 are the alternate screen.
    if (final === 0x6d) return true;
    if (final === 0x68 || final === 0x6c) return !/\b(?:1049|1047|47|6|4)\b/.test(parameters);
    if (final === 0x4b) return this.eraseInLine(parameters);
    if (final === 0x47) return this.moveTo(Math.max(1, Number(parameters) || 1) - 1);
    if (final === 0x43) return this.moveTo(this.column + Math.max(1, Number(parameters) || 1));
    if (final === 0x44) return this.moveTo(Math.max(0, this.column - Math.max(1, Number(parameters) || 1)));
    // Queries and the cursor's shape.
    return final === 0x6e || final === 0x63 || final === 0x71 || final === 0x75;
  }

  finish(): string[] {
    if (this.cut) this.put(decodeUtf8(this.cut));
    if (this.plain !== '' || this.cells) this.newLine();
    while (this.lines.length > 0 && this.lines[this.lines.length - 1] === '') this.lines.pop();
    return this.lines;
  }

  private newLine(): void {
    // LF leaves the column; a tty sends CR with it. Raw output without CR goes on at that column, as on a screen.
    this.lines.push((this.cells?.join('') ?? this.plain).trimEnd());
    this.plain = '';
    this.plainWidth = 0;
    this.cells = undefined;
  }

  private put(text: string): void {
    if (!this.cells && this.column === this.plainWidth) {
      this.plain += text;
      this.plainWidth += textWidth(text);
      this.column = this.plainWidth;
      return;
    }
    this.overwrite(this.toCells(), text);
  }

  private overwrite(cells: string[], text: string): void {
    while (cells.length < this.column) cells.push(' ');
    for (const char of text) {
      const width = charWidth(char);
      if (width === 0) {
        const before = Math.max(0, this.column - 1);
        cells[before] = (cells[before] ?? ' ') + char;
        continue;
      }
      splitWide(cells, this.column, width);
      cells[this.column] = char;
      if (width === 2) cells[this.column + 1] = '';
      this.column += width;
    }
  }

  private toCells(): string[] {
    if (this.cells) return this.cells;
    const { plain, column } = this;
    this.cells = [];
    this.column = 0;
    this.overwrite(this.cells, plain);
    this.column = column;
    return this.cells;
  }

  private tab(): void {
    const to = (Math.floor(this.column / TAB_STOP) + 1) * TAB_STOP;
    if (!this.cells && this.column === this.plainWidth) return this.put(' '.repeat(to - this.column));
    this.column = to;
  }

  private moveTo(column: number): true {
    this.column = Math.min(column, 10_000);
    return true;
  }

  private eraseInLine(parameters: string): boolean {
    const cells = this.toCells();
    if (parameters === '' || parameters === '0') cells.length = Math.min(cells.length, this.column);
    else if (parameters === '1') cells.fill(' ', 0, Math.min(cells.length, this.column + 1));
    else if (parameters === '2') cells.length = 0;
    else return false;
    return true;
  }
}

/** The second half of a wide character is an empty cell. Who writes over one half leaves a blank in place of the other. */
function splitWide(cells: string[], column: number, width: number): void {
  if (cells[column] === '' && column > 0) cells[column - 1] = ' ';
  if (cells[column + width] === '') cells[column + width] = ' ';
}

const NARROW = /^[\x20-\u02ff]*$/;
const ZERO_WIDTH = /^[\p{Mark}\u200b-\u200f\u2060]$/u;

/** Terminal columns that a character takes: 0 for combining ones, 2 for wide ones. */
function charWidth(char: string): number {
  return ZERO_WIDTH.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);
}

function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** Bytes at the end that begin a UTF-8 character without finishing it. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}
