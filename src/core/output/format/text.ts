import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

const TAB_STOP = 8;

/** Text that only says something: without control sequences and control characters, which would spoil the format or do worse; tabs are blanks. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(line => expandTabs(line).replace(/[\x00-\x1f\x7f-\x9f]/g, ''))
    .join('\n');
}

/** Lines of at most `width` columns, broken between words if possible; a line's indentation is kept. Undefined breaks nothing. */
export function wrap(text: string, width: number | undefined): string[] {
  const lines = text.split('\n');
  return width === undefined ? lines : lines.flatMap(line => wrapLine(line, width));
}

/** As `wrap`, but breaks anywhere and so keeps every character: joined, the lines are the line again. */
export function wrapExactly(line: string, width: number | undefined): string[] {
  if (width === undefined) return [line];
  return wrapAnsi(line, width, { hard: true, trim: false, wordWrap: false }).split('\n');
}

/** Terminal columns that a line takes. */
export function columns(line: string): number {
  return stringWidth(line);
}

function wrapLine(line: string, width: number): string[] {
  if (columns(line) <= width) return [line];
  const blanks = /^ */.exec(line)?.[0].length ?? 0;
  const indent = Math.min(blanks, Math.floor(width / 2));
  const wrapped = wrapAnsi(line.slice(blanks), width - indent, { hard: true });
  return wrapped.split('\n').map(piece => ' '.repeat(indent) + piece);
}

function expandTabs(line: string): string {
  let width = 0;
  let out = '';
  for (const [index, piece] of line.split('\t').entries()) {
    const blanks = index === 0 ? 0 : TAB_STOP - (width % TAB_STOP);
    out += ' '.repeat(blanks) + piece;
    width += blanks + columns(piece);
  }
  return out;
}
