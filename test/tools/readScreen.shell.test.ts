import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type Reply, startHttp, type TestClient } from '../helpers/mcp';

/** A menu that is drawn as curses does it: the selected item in reverse, and after a key only what differs. */
const menu = String.raw`stty -echo; printf '\e[?1049h\e[?25l\e[HFile\e[3;5H\e[7mOpen\e[m\e[4;5HQuit\e[10;1HReady'
read -rsn1; printf '\e[3;5HOpen\e[4;5H\e[7mQuit\e[m'; sleep 1000`;

describe('read_output view "screen"', () => {
  let home: Home;
  let client: TestClient;
  beforeAll(async () => {
    home = makeHome();
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  const start = async (terminal: number, command: string, pattern: string) => {
    await client.exec(command, { terminal, await_completion_ms: 0 });
    await client.call('wait', { terminals: [terminal], until: ['pattern'], pattern });
  };
  const look = (terminal: number, more: Record<string, unknown> = {}) =>
    client.call('read_output', { terminal, view: 'screen', ...more });
  const screenOf = (reply: Reply) => reply.structured['screen'] as Record<string, unknown>;

  it('says what is selected, and what has changed since this reader looked', async () => {
    await start(1, menu, 'Ready');
    const first = await look(1);
    expect(screenOf(first)).toMatchObject({
      reversed: [{ row: 3, from_column: 5, to_column: 8, text: 'Open' }],
      cursor_row: 10,
      cursor_column: 6,
      cursor_visible: false,
    });
    expect(screenOf(first)).not.toHaveProperty('changed_rows');
    expect(first.text).toContain('cursor (hidden) at row 10, column 6 · reversed: row 3 "Open"]');
    expect((await look(1)).text).toContain('nothing has changed since you last looked');

    const pressed = await client.call('respond', { terminal: 1, text: 'x', enter: false, pause_timeout: 0.3 });
    expect(screenOf(pressed)).toMatchObject({ reversed: [{ row: 4, text: 'Quit' }], changed_rows: [3, 4] });
    expect(pressed.text).toContain('changed since you last looked: rows 3-4');
    expect(screenOf(await look(1))).toMatchObject({ changed_rows: [] });
  });

  it('follows the rows that less changes', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => (index < 40 ? `line ${index}` : 'same'));
    writeFileSync(join(home.path, 'text'), lines.join('\n'));
    await start(2, 'less text', 'text');
    const reversed = screenOf(await look(2))['reversed'];
    expect(reversed).toMatchObject([{ row: 30, text: 'text' }]);
    await client.call('respond', { terminal: 2, text: 'G', enter: false, pause_timeout: 0.3 });
    expect(screenOf(await look(2))['changed_rows']).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    // All lines there are the same, so that only the last row shows the move.
    await client.keys('up', { terminal: 2, pause_timeout: 0.3 });
    expect(screenOf(await look(2))).toMatchObject({ changed_rows: [30], reversed: [] });
  });

  it('comes with a picture when wanted', async () => {
    await start(3, menu, 'Ready');
    expect((await look(3)).images).toEqual([]);
    const reply = await look(3, { image: true });
    expect(reply.texts).toHaveLength(2);
    expect(reply.images).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
    const { width, height, data } = PNG.sync.read(Buffer.from(reply.images[0]?.data ?? '', 'base64'));
    expect([width, height]).toEqual([960, 480]);
    const pixel = (x: number, y: number) => data.readUIntBE(4 * (y * width + x), 3);
    // The corners of the fifth cell in the third row, which is reversed, and of the one before it.
    expect([pixel(4 * 8, 2 * 16), pixel(4 * 8 - 1, 2 * 16)]).toEqual([0xcccccc, 0x181818]);
    expect(screenOf(reply)['image']).toEqual({ from_row: 1, to_row: 30, from_column: 1, to_column: 120 });
  });

  it('is the only view with a picture', async () => {
    const reply = await client.call('read_output', { terminal: 3, image: true });
    expect(reply).toMatchObject({ code: 'invalid_input', images: [] });
    expect(reply.text).toContain('view "screen"');
  });

  it('fits into what a client takes, whatever is on it', async () => {
    const program = String.raw`clear; for i in {1..29}; do for j in {1..15}; do printf '\e[7m"\\e\e[m\t'; done; printf '\\\n'; done; echo Ready; sleep 1000`;
    await start(4, program, 'Ready');
    await look(4);
    const reply = await look(4, { image: true });
    expect(JSON.stringify(reply.structured).length).toBeLessThan(8192);
    expect(screenOf(reply)['reversed']).not.toEqual([]);
  });

  it('has its picture over HTTP, too', async () => {
    const server = await startHttp({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
    const remote = await server.connect();
    await remote.exec('echo hello');
    const reply = await remote.call('read_output', { view: 'screen', image: true });
    expect(reply.images).toHaveLength(1);
    await remote.close();
    await server.stop();
  });
});
