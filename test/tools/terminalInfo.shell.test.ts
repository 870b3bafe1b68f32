import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionRegistry } from '../../src/core/session/registry';
import { sessionSetup } from '../../src/core/session/setup';
import { terminalInfo } from '../../src/tools/terminalInfo';
import type { ToolContext } from '../../src/tools/tool';
import { type Home, makeHome } from '../helpers/home';

describe('terminal_info', () => {
  let home: Home;
  let context: ToolContext;
  beforeAll(() => {
    home = makeHome();
    context = {
      registry: new SessionRegistry(sessionSetup(resolve('.'), { ...process.env, ...home.env })),
      caller: { owner: { kind: 'mcp', id: 'test', label: 'test' }, cwd: tmpdir(), shell: 'bash' },
      signal: new AbortController().signal,
      patienceMs: Number.POSITIVE_INFINITY,
      progress() {},
    };
  });
  afterAll(async () => {
    await Promise.all(context.registry.all.map(session => context.registry.end(session)));
    home.remove();
  });

  async function info(input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { structured } = await terminalInfo.run(terminalInfo.input.parse(input), context);
    terminalInfo.output.parse(structured);
    return structured;
  }

  function open(number: number, shell: string) {
    return context.registry.open({
      owner: context.caller.owner,
      number,
      shell,
      cwd: tmpdir(),
      env: {},
      cols: 100,
      rows: 40,
    });
  }

  it('tells what a new terminal will have when none is open, and opens none', async () => {
    expect(await info()).toEqual({
      status: 'success',
      terminal: 'xterm-256color',
      shell: expect.stringMatching(/^\/.*\/bash$/),
      columns: 120,
      lines: 30,
      colorterm: 'truecolor',
      term_program: 'glass-tty',
      platform: process.platform,
      encoding: 'UTF-8',
      locale: expect.any(String),
      shell_integration: 'full',
      terminal_number: 0,
      session_id: null,
    });
    expect(context.registry.all).toHaveLength(0);
  });

  it('tells of a terminal by number and by session id, with the size that it has now', async () => {
    open(0, 'bash');
    const other = open(3, 'sh');
    expect(await info()).toMatchObject({ columns: 100, lines: 40, terminal_number: 0 });
    expect(await info({ terminal: 3 })).toMatchObject({
      session_id: other.id,
      shell_integration: 'prompt',
      terminal_number: 3,
    });
    other.resize(80, 24);
    expect(await info({ session_id: other.id })).toMatchObject({ columns: 80, lines: 24, session_id: other.id });
    await expect(info({ session_id: 't-none' })).rejects.toMatchObject({ code: 'unknown_session' });
  });
});
