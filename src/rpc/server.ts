import { createServer, type Server, type Socket } from 'node:net';
import {
  type CancellationToken,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  type NotificationType,
  type RequestType,
  ResponseError,
  SocketMessageReader,
  SocketMessageWriter,
} from 'vscode-jsonrpc/node';
import { GlassError, messageOf } from '../base/errors';
import { Emitter } from '../base/event';
import { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { DEFAULT_SIZE } from '../core/session/openShell';
import { type Owner, ownerKey } from '../core/session/owner';
import { prefaceOf } from '../core/session/preface';
import type { SessionRegistry } from '../core/session/registry';
import type { Session } from '../core/session/session';
import { Viewer } from '../core/session/viewer';
import type { ToolService } from '../tools/service';
import * as rpc from './contract';

export interface RpcServerOptions {
  readonly registry: SessionRegistry;
  readonly service: ToolService;
  readonly token: string;
  readonly version: string;
  readonly endpoint: () => Promise<rpc.McpEndpoint>;
  readonly log: Logger;
}

/** The host's end of the contract, for any number of windows and bridges. */
export class RpcServer {
  private readonly options: RpcServerOptions;
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  private readonly activity = new Emitter<void>();
  /** `active` has changed. */
  readonly onActivity = this.activity.event;

  constructor(options: RpcServerOptions) {
    this.options = options;
    this.server = createServer(socket => this.accept(socket));
  }

  /** Clients that have said hello and are there. */
  get active(): number {
    return [...this.connections].filter(connection => connection.isGreeted).length;
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(path, resolve);
    });
  }

  close(): void {
    this.server.close();
    for (const connection of this.connections) connection.dispose();
    this.activity.dispose();
  }

  private accept(socket: Socket): void {
    const connection = new Connection(socket, this.options, () => this.activity.fire());
    this.connections.add(connection);
    socket.once('close', () => {
      this.connections.delete(connection);
      connection.dispose();
      this.activity.fire();
    });
  }
}

/** One client. Nothing but `hello` is answered before the token was right. */
class Connection {
  private readonly options: RpcServerOptions;
  private readonly onGreeted: () => void;
  private readonly socket: Socket;
  private readonly wire: MessageConnection;
  private readonly store = new DisposableStore();
  private readonly viewers = new Map<string, Viewer>();
  /** MCP connections that were served through this client; they end with it. */
  private readonly owners = new Map<string, Owner>();
  isGreeted = false;

  constructor(socket: Socket, options: RpcServerOptions, onGreeted: () => void) {
    this.options = options;
    this.onGreeted = onGreeted;
    this.socket = socket;
    this.wire = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
    this.store.add(this.wire);
    this.wire.onError(([error]) => options.log.warn(`rpc connection: ${error.message}`));
    this.wire.onRequest(rpc.Hello, params => this.hello(params));
    this.wire.listen();
  }

  private hello(params: rpc.HelloParams): rpc.HostInfo {
    if (params.token !== this.options.token) {
      this.socket.end();
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The token is wrong.');
    }
    this.isGreeted = true;
    this.serveTools();
    if (params.client === 'window') this.serveWindow();
    this.onGreeted();
    return { pid: process.pid, version: this.options.version };
  }

  private serveTools(): void {
    const { service } = this.options;
    this.answer(rpc.ListTools, ({ sets }) => service.list(sets));
    this.answer(rpc.PrepareTool, ({ name, input, caller }) => service.prepare(name, input, caller));
    this.answer(rpc.InvokeTool, (params, cancellation) => this.invoke(params, cancellation));
    this.answer(rpc.ReleaseOwner, async owner => {
      this.owners.delete(ownerKey(owner));
      await service.release(owner);
      return null;
    });
  }

  private async invoke(params: rpc.InvokeParams, cancellation: CancellationToken) {
    const { owner } = params.caller;
    if (owner.kind === 'mcp') this.owners.set(ownerKey(owner), owner);
    const abort = new AbortController();
    const subscription = cancellation.onCancellationRequested(() => abort.abort());
    try {
      return await this.options.service.invoke(params.name, params.input, params.caller, {
        signal: abort.signal,
        patienceMs: params.patienceMs ?? Number.POSITIVE_INFINITY,
        onProgress: message => this.notify(rpc.ToolProgress, { call: params.call, message }),
      });
    } finally {
      subscription.dispose();
    }
  }

  private serveWindow(): void {
    const { registry, endpoint } = this.options;
    this.wire.onRequest(rpc.ListSessions, () => registry.all.map(rpc.sessionInfo));
    this.wire.onRequest(rpc.GetEndpoint, endpoint);
    this.answer(rpc.OpenSession, params => this.open(params));
    this.answer(rpc.EndSession, ({ id }) => registry.end(this.session(id)));
    this.answer(rpc.AttachViewer, ({ id }) => this.attach(this.session(id)));
    this.wire.onNotification(rpc.DetachViewer, ({ id }) => this.detach(id));
    this.wire.onNotification(rpc.ViewerInput, ({ id, data }) => registry.byId(id)?.type(data));
    this.wire.onNotification(rpc.SetKeyboard, ({ id, holder }) => {
      const keyboard = registry.byId(id)?.keyboard;
      if (holder === 'person') keyboard?.takeOver();
      else keyboard?.handBack();
    });
    this.wire.onNotification(rpc.SetRules, rules => void Object.assign(registry.setup.rules, rules));
    this.wire.onNotification(rpc.ViewerResize, ({ id, cols, rows }) => registry.byId(id)?.resize(cols, rows));
    this.wire.onNotification(rpc.ViewerAcknowledge, ({ id, characters }) =>
      this.viewers.get(id)?.acknowledge(characters),
    );
    this.store.add(
      registry.onChange(({ kind, session }) => {
        if (kind === 'removed') this.detach(session.id);
        this.notify(rpc.SessionChanged, { kind, session: rpc.sessionInfo(session) });
      }),
    );
  }

  private async open({ owner, cwd, shell, env = {}, sharedFrom }: rpc.OpenParams): Promise<rpc.SessionInfo> {
    const { registry } = this.options;
    const preface = sharedFrom ? await prefaceOf(sharedFrom, DEFAULT_SIZE) : '';
    const number = registry.freeNumber(owner);
    const options = { owner, number, cwd, shell, env: {}, inherited: env, preface, ...DEFAULT_SIZE };
    return rpc.sessionInfo(registry.open(options));
  }

  private attach(session: Session): Promise<rpc.AttachResult> {
    this.detach(session.id);
    const { id } = session;
    const viewer = new Viewer(session, {
      data: data => this.notify(rpc.ViewerData, { id, data }),
      size: (cols, rows) => this.notify(rpc.ViewerSize, { id, cols, rows }),
    });
    this.viewers.set(id, viewer);
    return new Promise(resolve => viewer.start(replay => resolve({ session: rpc.sessionInfo(session), replay })));
  }

  private detach(id: string): void {
    this.viewers.get(id)?.dispose();
    this.viewers.delete(id);
  }

  private session(id: string): Session {
    const session = this.options.registry.byId(id);
    if (session) return session;
    throw new GlassError('unknown_session', `The session ${id} has ended.`);
  }

  /** Registers a handler whose `GlassError` reaches the client with its code. */
  private answer<P, R>(
    type: RequestType<P, R, void>,
    handler: (params: P, cancellation: CancellationToken) => Promise<R>,
  ): void {
    this.wire.onRequest(type.method, async (params: P, cancellation: CancellationToken): Promise<unknown> => {
      try {
        return await handler(params, cancellation);
      } catch (error) {
        const code = error instanceof GlassError ? error.code : 'internal_error';
        throw new ResponseError(ErrorCodes.InternalError, messageOf(error), { code });
      }
    });
  }

  private notify<P>(type: NotificationType<P>, params: P): void {
    // A client that has just gone misses nothing that it could still show.
    this.wire.sendNotification(type.method, params).catch(() => {});
  }

  dispose(): void {
    for (const id of [...this.viewers.keys()]) this.detach(id);
    for (const owner of this.owners.values()) void this.options.service.release(owner);
    this.owners.clear();
    this.store.dispose();
    this.socket.destroy();
  }
}
