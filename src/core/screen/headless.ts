import { Unicode11Addon } from '@xterm/addon-unicode11';
import { type IBufferLine, Terminal } from '@xterm/headless';

/** A headless terminal with today's character widths. It stays silent about output that is no text: xterm.js would write of each odd byte to the console. */
export function createTerminal(size: { readonly cols: number; readonly rows: number }, scrollback: number): Terminal {
  const { cols, rows } = size;
  const terminal = new Terminal({ cols, rows, scrollback, allowProposedApi: true, logLevel: 'off' });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  return terminal;
}

/**
 * A row that goes on in the next: blanks before the break are text, but not the cells that nothing was written to. A wide character that does not
 * fit into the last column leaves one, a resize leaves many.
 */
function unfinishedRow(line: IBufferLine, cols: number): string {
  let end = cols;
  while (end > 0 && line.getCell(end - 1)?.getWidth() === 1 && line.getCell(end - 1)?.getChars() === '') end--;
  return line.translateToString(false, 0, end);
}

/** Scrollback and screen of a terminal as lines of text. */
export function bufferLines(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let index = 0; index < active.length; index++) {
    const line = active.getLine(index);
    if (!line) continue;
    const isWrapped = active.getLine(index + 1)?.isWrapped ?? false;
    const text = isWrapped ? unfinishedRow(line, terminal.cols) : line.translateToString(true);
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  while (lines.length > 0 && lines[lines.length - 1]?.trimEnd() === '') lines.pop();
  return lines.map(line => line.trimEnd());
}
