import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The built command line; `npm run build` makes it. */
export const cli = resolve('dist/cli.js');

/** A reply of a tool as a client sees it. */
export interface Reply {
  readonly isError: boolean;
  /** The texts of the reply; what the terminal said is the first of them, the note about it the last. */
  readonly texts: readonly string[];
  readonly text: string;
  /** The images of the reply, in base64. */
  readonly images: readonly { readonly mimeType: string; readonly data: string }[];
  readonly structured: Readonly<Record<string, unknown>>;
  /** Code of the error, if it is one. */
  readonly code: string | undefined;
  readonly ms: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => unknown;
  readonly timeoutMs?: number;
}

/** A real MCP client with a few words for what the tests do most. */
export class TestClient {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async call(name: string, args: Record<string, unknown>, options: CallOptions = {}): Promise<Reply> {
    const started = performance.now();
    const { onProgress } = options;
    const result = await this.client.callTool({ name, arguments: args }, undefined, {
      timeout: options.timeoutMs ?? 60_000,
      ...(options.signal && { signal: options.signal }),
      ...(onProgress && { onprogress: progress => onProgress(progress.message ?? ''), resetTimeoutOnProgress: true }),
    });
    const content = result.content as CallToolResult['content'];
    const texts = content.flatMap(part => (part.type === 'text' ? [part.text] : []));
    return {
      isError: result.isError === true,
      texts,
      text: texts.join('\n'),
      images: content.filter(part => part.type === 'image'),
      structured: (result.structuredContent ?? {}) as Record<string, unknown>,
      code: result.isError ? /^(\w+):/.exec(texts[0] ?? '')?.[1] : undefined,
      ms: performance.now() - started,
    };
  }

  exec(command: string, more: Record<string, unknown> = {}, options: CallOptions = {}): Promise<Reply> {
    return this.call('terminal', { command, ...more }, options);
  }

  read(more: Record<string, unknown> = {}): Promise<Reply> {
    return this.call('terminal', { action: 'READ', ...more });
  }

  kill(more: Record<string, unknown> = {}): Promise<Reply> {
    return this.call('terminal', { action: 'KILL', ...more });
  }

  keys(signal: string, more: Record<string, unknown> = {}): Promise<Reply> {
    return this.call('send_control', { signal, ...more });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export interface ServerOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Goes before the command that starts the server. */
  readonly prefix?: readonly string[];
  /** Gets what the server writes to standard error, which else goes to the test's own. */
  readonly onStderr?: (text: string) => void;
}

/** Starts `glass-tty` on stdio, as an MCP client does. */
export async function connectStdio(options: ServerOptions = {}): Promise<TestClient> {
  assertBuilt();
  const { onStderr } = options;
  const [command = '', ...args] = [
    ...(options.prefix ?? []),
    process.execPath,
    cli,
    ...(options.args ?? ['--no-bridge']),
  ];
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...(process.env as Record<string, string>), ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stderr: onStderr ? 'pipe' : 'inherit',
  });
  if (onStderr) transport.stderr?.on('data', chunk => onStderr(String(chunk)));
  return connect(transport);
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  connect(): Promise<TestClient>;
  stop(): Promise<void>;
}

/** Starts `glass-tty --http` and waits for the line that says where it is. */
export async function startHttp(options: ServerOptions = {}): Promise<HttpServer> {
  assertBuilt();
  const server = spawn(process.execPath, [cli, '--http', '--no-bridge', ...(options.args ?? [])], {
    env: { ...process.env, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url, token } = JSON.parse(await firstLine(server)) as { url: string; token: string };
  return { url, token, connect: () => connectHttp(url, token), stop: () => stop(server) };
}

export function connectHttp(url: string, token: string): Promise<TestClient> {
  const headers = { authorization: `Bearer ${token}` };
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);
}

async function connect(transport: Transport): Promise<TestClient> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return new TestClient(client);
}

function assertBuilt(): void {
  if (!existsSync(cli)) throw new Error('dist/cli.js is missing: run `npm run build` first.');
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('no stdout'));
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', code => reject(new Error(`exited with ${code} before it said anything`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill();
  });
}
