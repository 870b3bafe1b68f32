import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { GlassError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/log';
import type { ToolService } from '../tools/service';
import type { Toolset } from '../tools/tool';
import { parseToolsets } from '../tools/toolsets';
import { EventLog } from './eventLog';
import { connectionOwner, createMcpServer } from './server';

export interface HttpOptions {
  readonly service: ToolService;
  /** Secret that a client sends as `Authorization: Bearer …`. */
  readonly token: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Directory for new terminals. */
  readonly cwd: string;
  /** For clients whose URL does not say `?toolsets=…`. */
  readonly toolsets: readonly Toolset[];
  readonly version: string;
  readonly log: Logger;
  /** Makes the server of each connection; `createMcpServer` if absent. */
  readonly createServer?: typeof createMcpServer;
}

/** A running MCP endpoint. */
export interface HttpEndpoint {
  readonly url: string;
  readonly token: string;
  /** Clients with a request or an event stream open. */
  readonly active: number;
  /** `active` has changed. */
  readonly onActivity: Event<void>;
  close(): Promise<void>;
}

interface Client {
  readonly transport: StreamableHTTPServerTransport;
  /** Requests and event streams that are open. */
  open: number;
  /** It has had an event stream (GET), which a client keeps open for as long as it is there. */
  hasStreamed: boolean;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * A client with nothing open for so long (ms) has gone without saying so, and its terminals end: one that had an event stream would have opened it again
 * in seconds, of one that never had any only its silence tells.
 */
const EXPIRY_MS = { streaming: 60 * 1000, silent: 60 * 60 * 1000 } as const;
/** After so long (ms) a client whose event stream has broken may open it again. */
const RETRY_MS = 1000;
const PATH = '/mcp';

/** Serves MCP (streamable HTTP, revision 2025-03-26 and later) on 127.0.0.1, to several clients at once. */
export async function serveHttp(options: HttpOptions): Promise<HttpEndpoint> {
  const endpoint = new Endpoint(options);
  await endpoint.listen(options.port);
  return endpoint;
}

class Endpoint implements HttpEndpoint {
  private readonly options: HttpOptions;
  private readonly http: HttpServer;
  private readonly clients = new Map<string, Client>();
  private readonly activity = new Emitter<void>();
  readonly onActivity = this.activity.event;
  private port = 0;

  constructor(options: HttpOptions) {
    this.options = options;
    this.http = createServer((request, response) => {
      this.handle(request, response).catch(error => {
        if (error instanceof GlassError) return refuse(response, 400, error.message);
        options.log.error('HTTP request failed', error);
        if (!response.headersSent) refuse(response, 500, 'The request failed inside Glass TTY; its log has more.');
      });
    });
    // An event stream may stay open and silent for hours.
    this.http.requestTimeout = 0;
  }

  get token(): string {
    return this.options.token;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}${PATH}`;
  }

  get active(): number {
    return [...this.clients.values()].filter(client => client.open > 0).length;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen(port, '127.0.0.1', resolve);
    });
    this.port = (this.http.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const client of [...this.clients.values()]) await client.transport.close();
    this.http.closeAllConnections();
    await new Promise<void>(resolve => this.http.close(() => resolve()));
    this.activity.dispose();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.refusalOf(request);
    if (refusal) return refuse(response, ...refusal);
    const id = request.headers['mcp-session-id'];
    const client = typeof id === 'string' ? this.clients.get(id) : await this.newClient(this.toolsetsOf(request));
    if (!client) return refuse(response, 404, 'This MCP session has ended. Initialize a new one.');
    this.track(client, request, response);
    await client.transport.handleRequest(request, response);
  }

  /** A web page must not reach this server, neither by its own origin nor by a name that resolves to 127.0.0.1 (DNS rebinding). */
  private refusalOf(request: IncomingMessage): readonly [number, string] | undefined {
    const hosts = [`127.0.0.1:${this.port}`, `localhost:${this.port}`];
    if (!hosts.includes(request.headers.host ?? '')) return [403, 'This server answers only to its own address.'];
    const { origin } = request.headers;
    if (origin !== undefined && !hosts.some(host => origin === `http://${host}`)) {
      return [403, 'This server does not answer to web pages.'];
    }
    if (!hasToken(request.headers.authorization, this.options.token)) {
      return [401, 'The bearer token is missing or wrong. Copy the MCP configuration again.'];
    }
    const path = new URL(request.url ?? '/', this.url).pathname;
    return path === PATH ? undefined : [404, `There is nothing here but ${PATH}.`];
  }

  private toolsetsOf(request: IncomingMessage): readonly Toolset[] {
    const asked = new URL(request.url ?? '/', this.url).searchParams.get('toolsets');
    return asked === null ? this.options.toolsets : parseToolsets(asked);
  }

  /** A client that is known once it has initialized; anything else it sends first is refused by the transport. */
  private async newClient(toolsets: readonly Toolset[]): Promise<Client> {
    const { service, cwd, version, createServer = createMcpServer } = this.options;
    const connection = { id: randomUUID(), cwd, version, toolsets };
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => connection.id,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
      onsessioninitialized: id => void this.clients.set(id, client),
    });
    const client: Client = { transport, open: 0, hasStreamed: false, expiry: undefined };
    const server = createServer(service, connection);
    server.onclose = () => {
      clearTimeout(client.expiry);
      if (!this.clients.delete(connection.id)) return;
      this.activity.fire();
      void service.release(connectionOwner(connection));
    };
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return client;
  }

  private track(client: Client, request: IncomingMessage, response: ServerResponse): void {
    client.hasStreamed ||= request.method === 'GET';
    client.open++;
    clearTimeout(client.expiry);
    this.activity.fire();
    response.once('close', () => {
      client.open--;
      if (client.open === 0) {
        const patience = client.hasStreamed ? EXPIRY_MS.streaming : EXPIRY_MS.silent;
        client.expiry = setTimeout(() => void client.transport.close(), patience);
        client.expiry.unref();
      }
      this.activity.fire();
    });
  }
}

function hasToken(header: string | undefined, token: string): boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }));
}
