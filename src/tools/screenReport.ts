import { z } from 'zod';
import { DEFAULT_BUDGET, excerpt } from '../core/output/excerpt';
import { type Cell, fingerprint, reversedRuns } from '../core/screen/cells';
import { drawScreen } from '../core/screen/picture/draw';
import { loadFont } from '../core/screen/picture/font';
import type { Screen } from '../core/screen/screen';
import type { Owner } from '../core/session/owner';
import type { Readers } from '../core/session/readers';
import type { Session } from '../core/session/session';
import type { ToolImage } from './tool';

/** Everything is from 1 here, as programs count rows and columns. */
const reversed = z.object({
  row: z.number().int(),
  from_column: z.number().int(),
  to_column: z.number().int(),
  text: z.string(),
});

/** With the text of a screen: what else there is to see of it. */
export const screenFacts = z.object({
  cols: z.number().int(),
  rows: z.number().int(),
  cursor_row: z.number().int().describe('From 1.'),
  cursor_column: z.number().int().describe('From 1.'),
  cursor_visible: z.boolean(),
  alternate: z.boolean().describe('A full-screen program has the screen.'),
  title: z.string(),
  reversed: z.array(reversed).describe('The first cells in reverse: what is selected, status lines.'),
  changed_rows: z.array(z.number().int()).optional().describe('Since this reader last looked; missing the first time.'),
  image: z
    .object({
      from_row: z.number().int(),
      to_row: z.number().int(),
      from_column: z.number().int(),
      to_column: z.number().int(),
    })
    .optional()
    .describe('The part of the screen that the image shows.'),
});

export type ScreenFacts = z.output<typeof screenFacts>;

/** Of the reversed runs at most as many as these, and as take these characters as JSON: the text of the screen matters more. */
const MAX_REVERSED = { runs: 50, characters: 2000 } as const;
/** Runs, and characters of each, that the note has. */
const NOTED = { runs: 3, characters: 40 } as const;

/** What a person sees, as it is: of a full-screen program the only text that makes sense. It counts as a look of the reader. */
export async function pictureText(session: Session, reader: Owner) {
  await session.screen.flush();
  return describePicture(session.screen.picture(), session.readers, reader);
}

/** The same, with the picture of it as an image; `font` is a path. */
export async function picturedText(session: Session, reader: Owner, font: string) {
  await session.screen.flush();
  const picture = session.screen.picture();
  const { output, total_lines, screen } = describePicture(picture, session.readers, reader);
  const { png, row, column, rows, cols } = await drawScreen(picture, await loadFont(font));
  const image = { from_row: row + 1, to_row: row + rows, from_column: column + 1, to_column: column + cols };
  const images: ToolImage[] = [{ mimeType: 'image/png', data: png.toString('base64') }];
  return { output, total_lines, screen: { ...screen, image }, images };
}

function describePicture(picture: ReturnType<Screen['picture']>, readers: Readers, reader: Owner) {
  const { lines, cells, cursor } = picture;
  const changed = readers.look(reader, cells.map(fingerprint))?.map(row => row + 1);
  const marks = { reversed: reversedIn(cells), ...(changed && { changed_rows: changed }) };
  const shown = excerpt(lines, {
    budget: DEFAULT_BUDGET - JSON.stringify(marks).length,
    maxLines: 0,
    howToRead: () => 'make the terminal smaller',
  });
  const screen: ScreenFacts = {
    cols: picture.cols,
    rows: picture.rows,
    cursor_row: cursor.row + 1,
    cursor_column: cursor.column + 1,
    cursor_visible: cursor.isVisible,
    alternate: picture.isAlternate,
    title: picture.title,
    ...marks,
  };
  return { output: shown.text, total_lines: lines.length, screen };
}

function reversedIn(cells: readonly (readonly Cell[])[]): ScreenFacts['reversed'] {
  let characters = 0;
  return reversedRuns(cells, MAX_REVERSED.runs)
    .map(({ row, from, to, text }) => ({ row: row + 1, from_column: from + 1, to_column: to + 1, text }))
    .filter(run => {
      characters += JSON.stringify(run).length;
      return characters <= MAX_REVERSED.characters;
    });
}

/** What a note says of a screen. */
export function screenNotes(screen: ScreenFacts): string[] {
  const { cursor_row, cursor_column, cursor_visible, image, cols, rows } = screen;
  const notes = [`cursor ${cursor_visible ? '' : '(hidden) '}at row ${cursor_row}, column ${cursor_column}`];
  if (screen.reversed.length > 0) notes.push(`reversed: ${reversedNote(screen.reversed)}`);
  if (screen.changed_rows) notes.push(changedNote(screen.changed_rows));
  const isWhole =
    !image || (image.to_row - image.from_row + 1 === rows && image.to_column - image.from_column + 1 === cols);
  if (!isWhole) {
    notes.push(
      `the image shows only rows ${range(image.from_row, image.to_row)} and columns ${range(image.from_column, image.to_column)}`,
    );
  }
  return notes;
}

function reversedNote(runs: ScreenFacts['reversed']): string {
  const texts = runs.slice(0, NOTED.runs).map(({ row, text }) => {
    const trimmed = text.trim();
    const short = trimmed.length > NOTED.characters ? `${trimmed.slice(0, NOTED.characters)}…` : trimmed;
    return short ? `row ${row} ${JSON.stringify(short)}` : `row ${row} (blank)`;
  });
  const more = runs.length - texts.length;
  return texts.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function changedNote(rows: readonly number[]): string {
  if (rows.length === 0) return 'nothing has changed since you last looked';
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return `changed since you last looked: row${rows.length > 1 ? 's' : ''} ${ranges.map(([from, to]) => range(from, to)).join(', ')}`;
}

function range(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
