import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '../../src/tools/invoke';
import { defaultToolsets } from '../../src/tools/toolsets';
import { type Home, makeHome } from '../helpers/home';
import { cli, type HttpServer, startHttp } from '../helpers/mcp';
import { newerNode } from '../machine/codeServer.mjs';

const inspector = resolve('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const DEADLINE_MS = 30_000;

describe('The official MCP inspector', () => {
  let node: string;
  let home: Home;
  let http: HttpServer;
  beforeAll(async () => {
    node = await newerNode();
    home = makeHome();
    http = await startHttp({ env: home.env });
  });
  afterAll(async () => {
    await http.stop();
    home.remove();
  });

  /** How it is told of our server. */
  const servers = {
    stdio: () => [process.execPath, cli, '--no-bridge'],
    HTTP: () => [http.url, '--transport', 'http', '--header', `Authorization: Bearer ${http.token}`],
  } as const;

  describe.each(['stdio', 'HTTP'] as const)('over %s', face => {
    it('lists the tools of the default sets', async () => {
      const { tools } = await inspect<{ tools: { name: string }[] }>('tools/list');
      expect(tools.map(tool => tool.name)).toEqual(toolsOf(defaultToolsets).map(tool => tool.name));
    });

    it('runs a command in a terminal', async () => {
      const reply = await callTool('terminal', 'command=echo hello');
      expect(reply.structuredContent).toMatchObject({ output: 'hello', exit_code: 0 });
      expect(reply.content[0]).toEqual({ type: 'text', text: 'hello' });
    });

    it('has a text formatted', async () => {
      const reply = await callTool('format_terminal_output', 'content=all is well', 'format_type=success');
      expect(reply.isError ?? false).toBe(false);
      expect(reply.content[0]?.text).toContain('all is well');
    });

    function callTool(name: string, ...args: string[]): Promise<Reply> {
      return inspect('tools/call', '--tool-name', name, ...args.flatMap(arg => ['--tool-arg', arg]));
    }

    async function inspect<T>(method: string, ...more: string[]): Promise<T> {
      const args = [inspector, '--cli', ...servers[face](), '--method', method, ...more];
      const env = { ...process.env, ...home.env };
      const { stdout } = await promisify(execFile)(node, args, { env, timeout: DEADLINE_MS });
      return JSON.parse(stdout) as T;
    }
  });
});

interface Reply {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}
