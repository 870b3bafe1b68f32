import { GlassError } from '../../../base/errors';
import { columns, plainText, wrap } from './text';
import { type Border, styled, type Theme } from './themes';

export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Narrowest column: a wide character has to fit. */
const MIN_COLUMN = 2;
/** Between columns without a frame. */
const GAP = '  ';

/** A table as lines of at most `width` columns: the widest columns are wrapped first. Throws `invalid_input` when it cannot be so narrow. */
export function formatTable(table: Table, theme: Theme, width: number | undefined): string[] {
  const { border } = theme;
  const count = Math.max(table.headers.length, ...table.rows.map(row => row.length));
  const full = (row: readonly string[]) => Array.from({ length: count }, (_, index) => plainText(row[index] ?? ''));
  const headers = table.headers.length > 0 ? full(table.headers) : undefined;
  const rows = table.rows.map(full);

  const natural = widthsOf(headers ? [headers, ...rows] : rows, count);
  const frame = border ? 3 * count + 1 : GAP.length * (count - 1);
  const widths = width === undefined ? natural : fitWidths(natural, width - frame, width);
  const drawRow = (row: readonly string[], style: string) => drawCells(row, widths, border, style);

  const body = rows.map(row => drawRow(row, ''));
  const head = headers && drawRow(headers, theme.header);
  if (!border) return [...(head ?? []), ...body.flat()];
  const rule = (ends: readonly [string, string, string]) => drawRule(ends, widths, border);
  // Where a row has several lines, only a rule tells where it ends.
  const between = body.some(lines => lines.length > 1) ? [rule(border.middle)] : [];
  return [
    rule(border.top),
    ...(head ? [...head, ...(body.length > 0 ? [rule(border.middle)] : [])] : []),
    ...body.flatMap((lines, index) => (index === 0 ? lines : [...between, ...lines])),
    rule(border.bottom),
  ];
}

function widthsOf(rows: readonly (readonly string[])[], count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const lines = rows.flatMap(row => (row[index] ?? '').split('\n'));
    return lines.reduce((widest, line) => Math.max(widest, columns(line)), 1);
  });
}

/** The widths under the highest common bound with which they fit. */
function fitWidths(natural: readonly number[], available: number, width: number): number[] {
  const sum = (bound: number) => natural.reduce((total, one) => total + Math.min(one, bound), 0);
  let bound = natural.reduce((widest, one) => Math.max(widest, one), MIN_COLUMN);
  while (bound > MIN_COLUMN && sum(bound) > available) bound--;
  if (sum(bound) > available) {
    const least = width - available + sum(bound);
    throw new GlassError(
      'invalid_input',
      `A table of ${natural.length} columns needs a width of at least ${least}; ${width} was given.`,
    );
  }
  return natural.map(one => Math.min(one, bound));
}

function drawCells(
  row: readonly string[],
  widths: readonly number[],
  border: Border | undefined,
  style: string,
): string[] {
  const cells = row.map((cell, index) => wrap(cell, widths[index]));
  const height = Math.max(...cells.map(lines => lines.length));
  return Array.from({ length: height }, (_, at) => {
    const pieces = cells.map((lines, index) => {
      const line = lines[at] ?? '';
      return styled(line, style) + ' '.repeat(Math.max(0, (widths[index] ?? 0) - columns(line)));
    });
    if (!border) return pieces.join(GAP).trimEnd();
    return `${border.side} ${pieces.join(` ${border.side} `)} ${border.side}`;
  });
}

function drawRule([left, cross, right]: readonly [string, string, string], widths: readonly number[], border: Border) {
  return left + widths.map(one => border.line.repeat(one + 2)).join(cross) + right;
}
