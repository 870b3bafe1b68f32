/** What a model gets of some lines, and what it does not: everything that is left out is counted, and addressable by line. */
export interface Excerpt {
  readonly text: string;
  readonly totalLines: number;
  /** Lines left out, from the 1-based line `from` to `to`; undefined when all are there (long ones may still be cut in the middle). */
  readonly leftOut:
    | { readonly from: number; readonly to: number; readonly lines: number; readonly characters: number }
    | undefined;
}

export interface ExcerptOptions {
  /**
   * Characters the text may take as a JSON string, its quotes not counted. A client may hand the model the structured form, where a line
   * feed or a quote counts twice.
   */
  readonly budget: number;
  /** Lines at most; 0 for no bound. */
  readonly maxLines: number;
  /** Number of the first given line, for the numbers in the note. */
  readonly firstLine?: number;
  /** How the reader gets the lines `from`…; ends the sentence that says what was left out. */
  readonly howToRead: (from: number) => string;
}

/** VS Code's agent replaces any tool result above 8,192 characters by a pointer to a file, so a whole answer stays below 7,500. */
export const DEFAULT_BUDGET = 6500;

/** Share of the budget for the beginning; the end tells more often how things went. */
const HEAD_SHARE = 1 / 3;
/** Room for the note that says what was left out. */
const NOTE_ROOM = 200;
/** A line above this many characters is cut in the middle when not everything fits. */
const LONG_LINE = 2000;

/** As much of `lines` as the budget allows: all, or the beginning and the end with a note in between. */
export function excerpt(lines: readonly string[], options: ExcerptOptions): Excerpt {
  const totalLines = lines.length;
  const fits = options.maxLines === 0 || totalLines <= options.maxLines;
  const whole = fits ? joinWithin(lines, options.budget) : undefined;
  if (whole !== undefined) return { text: whole, totalLines, leftOut: undefined };

  const budget = Math.max(0, options.budget - NOTE_ROOM);
  const lineBudget = options.maxLines === 0 ? totalLines : options.maxLines;
  const cut = (line: string) => shorten(line, Math.min(LONG_LINE, Math.floor(budget / 3)));
  const head = take(lines, cut, budget * HEAD_SHARE, Math.floor(lineBudget * HEAD_SHARE));
  const rest = lines.slice(head.length);
  const headCost = head.reduce((sum, line) => sum + cost(line), 0);
  const tail = take([...rest].reverse(), cut, budget - headCost, lineBudget - head.length).reverse();

  const omitted = lines.slice(head.length, totalLines - tail.length);
  if (omitted.length === 0) return { text: [...head, ...tail].join('\n'), totalLines, leftOut: undefined };
  const from = (options.firstLine ?? 1) + head.length;
  const characters = omitted.reduce((sum, line) => sum + line.length + 1, 0);
  const note = `… ${count(omitted.length, 'line')} (${count(characters, 'character')}) left out: ${options.howToRead(from)}`;
  return {
    text: [...head, note, ...tail].join('\n'),
    totalLines,
    leftOut: { from, to: from + omitted.length - 1, lines: omitted.length, characters },
  };
}

/** `1 line`, `18,402 lines`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Characters that a line and its line feed take in JSON. */
function cost(line: string): number {
  return JSON.stringify(line).length;
}

function joinWithin(lines: readonly string[], budget: number): string | undefined {
  let used = 0;
  for (const line of lines) {
    used += cost(line);
    if (used > budget) return undefined;
  }
  return lines.join('\n');
}

function take(lines: readonly string[], cut: (line: string) => string, budget: number, maxLines: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const line of lines) {
    const short = cut(line);
    used += cost(short);
    if (used > budget || taken.length >= maxLines) break;
    taken.push(short);
  }
  return taken;
}

function shorten(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const keep = Math.max(1, Math.floor(limit / 2) - 30);
  const left = line.length - 2 * keep;
  return `${line.slice(0, keep)} … ${count(left, 'character')} of this line left out … ${line.slice(-keep)}`;
}
