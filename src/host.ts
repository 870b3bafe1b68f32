import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { version } from '../package.json';
import { lineLogger } from './base/log';
import { SessionRegistry } from './core/session/registry';
import { sessionSetup } from './core/session/setup';
import { type HttpEndpoint, serveHttp } from './mcp/http';
import { connectHost } from './rpc/client';
import { type HostRecord, publishRecord, readRecord, removeRecord, socketPath } from './rpc/directory';
import type { HostArguments } from './rpc/launch';
import { RpcServer } from './rpc/server';
import { LocalToolService } from './tools/service';
import { defaultToolsets } from './tools/toolsets';

/** The terminal host of a workspace: holds the sessions while windows come and go, and ends when nobody has been there for a while. */
async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2] ?? '{}') as HostArguments;
  const log = lineLogger(line => process.stderr.write(line));
  const registry = new SessionRegistry(sessionSetup(join(__dirname, '..'), process.env));
  const service = new LocalToolService(registry);
  const http = await serveHttp({
    service,
    token: secret(),
    port: 0,
    cwd: options.folders[0] ?? homedir(),
    toolsets: defaultToolsets,
    version,
    log,
  });
  const token = secret();
  const endpoint = async () => ({ url: http.url, token: http.token });
  const rpc = new RpcServer({ registry, service, token, version, endpoint, log });
  const socket = socketPath(options.directory);
  await rpc.listen(socket);
  const record: HostRecord = { pid: process.pid, version, socket, token, folders: options.folders };

  const other = await claim(options, record);
  if (other) {
    announce(other);
    removeRecord(options.directory, options.key, socket);
    process.exit(0);
  }
  log.info(`host ${process.pid} serves ${options.folders.join(', ') || 'no folder'}`);
  const stop = async (why: string) => {
    log.info(`host ${process.pid} ends: ${why}`);
    removeRecord(options.directory, options.key, socket);
    await service.close();
    process.exit(0);
  };
  watchPresence(rpc, http, options.graceMs, () => stop('nobody has been there for the grace time'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal));
  // The terminal or session that started the window may close; the host is meant to outlive it.
  process.on('SIGHUP', () => {});
  announce(record);
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}

/** Makes this the workspace's host, unless a live one is there already, which is then the answer. */
async function claim({ directory, key }: HostArguments, record: HostRecord): Promise<HostRecord | undefined> {
  while (!publishRecord(directory, key, record)) {
    const other = readRecord(directory, key);
    if (!other) continue;
    try {
      (await connectHost(other, 'bridge')).dispose();
      return other;
    } catch {
      removeRecord(directory, key, other.socket);
    }
  }
  return undefined;
}

/** Tells whoever started this process where it is, in one line. */
function announce(record: HostRecord): void {
  process.stdout.on('error', () => {});
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function watchPresence(rpc: RpcServer, http: HttpEndpoint, graceMs: number, left: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (rpc.active + http.active === 0) {
      // A clock that runs goes on: what happens while nobody is there does not bring anybody back.
      timer ??= setTimeout(left, graceMs);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
  };
  rpc.onActivity(look);
  http.onActivity(look);
  look();
}

void main();
