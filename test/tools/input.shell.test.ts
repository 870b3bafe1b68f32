import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

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

describe('send_control with the mouse', () => {
  it('clicks and scrolls in vim', async () => {
    writeFileSync(join(home.path, 'lines'), Array.from({ length: 200 }, (_, line) => `line ${line + 1}\n`).join(''));
    await client.exec('vim -u NONE -N -c "set mouse=a" lines', { await_completion_ms: 0 });
    await client.call('wait', { until: ['pattern', 'silence'], pattern: '200L', silence_seconds: 1 });
    await client.keys('click@5:3', { pause_timeout: 0.3 });
    const clicked = await client.call('read_output', { view: 'screen' });
    expect(clicked.structured['screen']).toMatchObject({ cursor_row: 5, cursor_column: 3, alternate: true });
    await client.keys('wheeldown@1:1*4', { pause_timeout: 0.3 });
    expect((await client.call('read_output', { view: 'screen' })).texts[0]).toMatch(/^line 13\n/);
    await client.keys('esc');
    const { structured } = await client.call('respond', { text: ':q' });
    expect(structured).toMatchObject({ state: 'prompt', exit_code: 0 });
  });

  it('refuses where nobody listens to the mouse, and says so', async () => {
    const reply = await client.keys('click@1:1');
    expect(reply).toMatchObject({ isError: true, code: 'mouse_not_wanted' });
    expect(reply.text).toContain('it has not asked for the mouse');
  });
});

describe('respond', () => {
  const ask = String.raw`printf '\e[?2004h'; IFS= read -rsd x line; printf '\e[?2004l%q\n' "$line"`;

  it('marks a paste for a program that asked for that, and only when told to', async () => {
    await client.exec(ask, { await_completion_ms: 300 });
    const pasted = await client.call('respond', { text: 'abx', paste: true, enter: false });
    expect(pasted.texts[0]).toContain(String.raw`$'\E[200~ab'`);
    await client.keys('ctrl+c');
    await client.exec(ask, { await_completion_ms: 300 });
    const typed = await client.call('respond', { text: 'abx', enter: false });
    expect(typed.texts[0]).toBe('ab');
  });

  it('types a paste as it is where nobody asked, or where it could end the paste', async () => {
    await client.exec(String.raw`IFS= read -rsd x line; printf '%q\n' "$line"`, { await_completion_ms: 300 });
    expect((await client.call('respond', { text: 'abx', paste: true, enter: false })).texts[0]).toBe('ab');
    await client.exec(ask, { await_completion_ms: 300 });
    const hostile = await client.call('respond', { text: 'a\u001b[201~bx', paste: true, enter: false });
    expect(hostile.texts[0]).toContain(String.raw`$'a\E[201~b'`);
  });
});

describe('read_output in bytes', () => {
  const read = (more: Record<string, unknown>) => client.call('read_output', { view: 'log', unit: 'bytes', ...more });

  it('gives exactly what was printed, piece by piece, and cuts no character', async () => {
    const made = `${'漢é🙂 '.repeat(4000)}end`;
    writeFileSync(join(home.path, 'long'), made);
    const { structured } = await client.exec(String.raw`printf '\e[31m'; cat long`);
    const command_id = structured['command_id'];
    let text = '';
    let from: number | undefined;
    let pieces = 0;
    for (let end = Number.POSITIVE_INFINITY; (from ?? 0) < end && pieces < 50; pieces++) {
      const reply = await read({ command_id, ...(from !== undefined && { from }) });
      expect(JSON.stringify(reply.structured).length).toBeLessThan(7500);
      const bytes = reply.structured['bytes'] as { from: number; to: number; end: number };
      expect(bytes.from).toBe(from ?? bytes.from);
      text += reply.structured['output'];
      from = bytes.to;
      if (text.includes('end')) break;
    }
    expect(text).toMatch(/^\u001b\[31m漢é🙂 /);
    expect(text).toContain(made);
  });

  it('takes any range, also of bytes that are no characters', async () => {
    const { structured } = await client.exec(String.raw`printf 'abc\377\376def\001\002'`);
    const all = await read({ command_id: structured['command_id'] });
    expect(all.structured['output']).toMatch(/^abc\ufffd\ufffddef\u0001\u0002/);
    const { from } = all.structured['bytes'] as { from: number };
    const some = await read({ from: from + 1, to: from + 3 });
    expect(some.structured).toMatchObject({ output: 'bc', bytes: { from: from + 1, to: from + 3 } });
    const none = await read({ from: 10 ** 9 });
    expect(none.structured['output']).toBe('');
  });
});
