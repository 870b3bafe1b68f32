import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { version } from '../package.json';
import { messageOf } from './base/errors';
import { lineLogger } from './base/log';
import { SessionRegistry } from './core/session/registry';
import { sessionSetup } from './core/session/setup';
import { serveHttp } from './mcp/http';
import { connectionOwner, createMcpServer } from './mcp/server';
import { BridgedToolService, findWindowHost } from './rpc/bridge';
import { runtimeDirectory } from './rpc/directory';
import { LocalToolService, type ToolService } from './tools/service';
import type { Toolset } from './tools/tool';
import { defaultToolsets, parseToolsets } from './tools/toolsets';

const usage = `glass-tty ${version}: real terminals for language models, over MCP

  glass-tty                    serve MCP on standard input and output
  glass-tty --http             serve MCP over HTTP on 127.0.0.1; prints {"url": …, "token": …}

  --port N       port for --http (default: any free one)
  --toolsets S   core, format, interminal or all (default: core,format); over HTTP a client may ask for its own: …/mcp?toolsets=all
  --no-bridge    keep the terminals in this process, even where a VS Code window serves this folder
  --version, --help

GLASS_TTY_TOKEN sets the bearer token for --http.
`;

const options = {
  http: { type: 'boolean', default: false },
  port: { type: 'string', default: '0' },
  toolsets: { type: 'string', default: defaultToolsets.join(',') },
  'no-bridge': { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Standard output carries the protocol, so everything else goes to standard error. */
const log = lineLogger(line => process.stderr.write(line));

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) return void process.stdout.write(usage);
  if (values.version) return void process.stdout.write(`${version}\n`);
  const registry = new SessionRegistry(sessionSetup(join(__dirname, '..'), process.env));
  const local = new LocalToolService(registry);
  const service = values['no-bridge'] ? local : bridged(local);
  const toolsets = parseToolsets(values.toolsets);
  if (values.http) await overHttp(service, portOf(values.port), toolsets);
  else await overStdio(service, toolsets);
  await local.close();
}

/** Terminals in the host of the VS Code window that serves this folder, where there is one, so that a person sees them there. */
function bridged(local: ToolService): ToolService {
  return new BridgedToolService(() => findWindowHost(runtimeDirectory(), process.cwd()), local);
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new Error(`--port takes a number from 0 to 65535, not ${text}`);
}

/** Serves until the client closes its end. */
async function overStdio(service: ToolService, toolsets: readonly Toolset[]): Promise<void> {
  const connection = { id: randomUUID(), cwd: process.cwd(), version, toolsets };
  const server = createMcpServer(service, connection);
  await server.connect(new StdioServerTransport());
  await new Promise<void>(resolve => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    onSignal(resolve);
  });
  await server.close();
  await service.release(connectionOwner(connection));
}

/** Serves until a signal. */
async function overHttp(service: ToolService, port: number, toolsets: readonly Toolset[]): Promise<void> {
  const token = process.env['GLASS_TTY_TOKEN'] || randomBytes(24).toString('base64url');
  const endpoint = await serveHttp({ service, token, port, cwd: process.cwd(), version, toolsets, log });
  process.stdout.write(`${JSON.stringify({ url: endpoint.url, token: endpoint.token })}\n`);
  await new Promise<void>(onSignal);
  await endpoint.close();
}

function onSignal(done: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, done);
}

main().then(
  () => process.exit(0),
  error => {
    process.stderr.write(`glass-tty: ${messageOf(error)}\n`);
    process.exit(1);
  },
);
