import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { lineLogger } from '../../../src/base/log';
import { SessionRegistry } from '../../../src/core/session/registry';
import { sessionSetup } from '../../../src/core/session/setup';
import { serveHttp } from '../../../src/mcp/http';
import { createMcpServer } from '../../../src/mcp/server';
import { LocalToolService } from '../../../src/tools/service';
import { toolsets } from '../../../src/tools/tool';
import { addFixtures } from './fixtures';
import { handlerOf } from './handlers';
import { startProxy } from './proxy';

export interface ConformanceServer {
  readonly url: string;
  readonly token: string;
  /** The same server for a client that has no token. */
  readonly proxyUrl: string;
  stop(): Promise<void>;
}

/** Our own HTTP server with our own MCP server behind it, which has the suite's fixtures added and speaks one revision of the protocol. */
export async function startConformanceServer(revision: string): Promise<ConformanceServer> {
  const service = new LocalToolService(new SessionRegistry(sessionSetup(resolve('.'), process.env)));
  const endpoint = await serveHttp({
    service,
    token: randomUUID(),
    port: 0,
    cwd: tmpdir(),
    toolsets,
    version: '1',
    log: lineLogger(line => process.stderr.write(line)),
    createServer: (...args) => speakOnly(revision, addFixtures(createMcpServer(...args))),
  });
  const proxy = await startProxy(endpoint.url, endpoint.token);
  return {
    url: endpoint.url,
    token: endpoint.token,
    proxyUrl: proxy.url,
    async stop() {
      await proxy.close();
      await endpoint.close();
      await service.close();
    },
  };
}

/** The suite's client proposes the newest revision that its SDK knows, even where it tests an older one: so the older one is what it gets. */
function speakOnly(protocolVersion: string, server: Server): Server {
  const initialize = handlerOf(server, 'initialize');
  server.setRequestHandler(InitializeRequestSchema, ({ method, params }, extra) =>
    initialize({ method, params: { ...params, protocolVersion } }, extra),
  );
  return server;
}
