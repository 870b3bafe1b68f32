import { readCells } from '../../src/core/screen/cells';
import { createTerminal } from '../../src/core/screen/headless';

/** What a terminal of this size shows after it was fed `data`, cell by cell. */
export async function shown(size: { readonly cols: number; readonly rows: number }, data: string) {
  const terminal = createTerminal(size, 0);
  await new Promise<void>(done => terminal.write(data, done));
  const { active } = terminal.buffer;
  const cells = Array.from({ length: size.rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return line ? readCells(line) : [];
  });
  const cursor = { row: active.cursorY, column: active.cursorX, isVisible: true };
  terminal.dispose();
  return { ...size, cells, cursor };
}
