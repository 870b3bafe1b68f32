import { type Cell, type Color, TRUE_COLOR } from '../cells';

/** VS Code's dark terminal colours, which stand out against the background more than xterm's own; 0xrrggbb. */
export const theme = {
  foreground: 0xcccccc,
  background: 0x181818,
  /** Like nothing that a program is likely to draw, so that the cursor is not taken for a selection. */
  cursor: 0xffaf00,
  ansi: [
    0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8, 0xbc3fbc, 0x11a8cd, 0xe5e5e5, 0x666666, 0xf14c4c, 0x23d18b,
    0xf5f543, 0x3b8eea, 0xd670d6, 0x29b8db, 0xffffff,
  ],
} as const;

/** Steps of xterm's colour cube, of which the palette has 6 × 6 × 6 from 16 on. */
const cube = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff] as const;

/** What a cell is drawn with; 0xrrggbb. Bold makes the first eight colours bright, as in VS Code. */
export function colorsOf(cell: Cell): { readonly foreground: number; readonly background: number } {
  const bright = cell.isBold && cell.foreground !== undefined && cell.foreground < 8 ? 8 : 0;
  const own = rgbOf(cell.foreground === undefined ? undefined : cell.foreground + bright) ?? theme.foreground;
  const behind = rgbOf(cell.background) ?? theme.background;
  const [ink, background] = cell.isInverse ? [behind, own] : [own, behind];
  const foreground = cell.isInvisible ? background : cell.isDim ? dimmed(ink, background) : ink;
  return { foreground, background };
}

function rgbOf(color: Color): number | undefined {
  if (color === undefined) return undefined;
  if (color >= TRUE_COLOR) return color - TRUE_COLOR;
  if (color < 16) return theme.ansi[color];
  if (color >= 232) return (8 + 10 * (color - 232)) * 0x010101;
  const [red = 0, green = 0, blue = 0] = [36, 6, 1].map(place => cube[Math.floor((color - 16) / place) % 6]);
  return (red << 16) | (green << 8) | blue;
}

/** Two thirds of the ink: half of it, as in VS Code, nobody reads of dark colours. */
function dimmed(ink: number, background: number): number {
  const part = (shift: number) =>
    Math.round((2 * ((ink >> shift) & 0xff) + ((background >> shift) & 0xff)) / 3) << shift;
  return part(16) | part(8) | part(0);
}
