import { connect, type Socket } from 'node:net';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  type NotificationType,
  type RequestType,
  ResponseError,
  SocketMessageReader,
  SocketMessageWriter,
} from 'vscode-jsonrpc/node';
import { GlassError, messageOf } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Owner } from '../core/session/owner';
import type { ToolOutcome } from '../tools/invoke';
import type { InvokeOptions, ToolDescription, ToolService } from '../tools/service';
import type { Caller, Preparation, Toolset } from '../tools/tool';
import * as rpc from './contract';
import type { HostRecord } from './directory';

/** Longest wait for a host's greeting, in ms; a live one answers within a few. */
const HELLO_MS = 5000;

/** Connects to the host of this record. Rejects when no host is there, or another one. */
export async function connectHost(record: HostRecord, client: rpc.HelloParams['client']): Promise<HostClient> {
  const socket = connect(record.socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const host = new HostClient(socket);
  const timer = setTimeout(() => host.dispose(), HELLO_MS);
  try {
    await host.request(rpc.Hello, { token: record.token, client });
    return host;
  } catch (error) {
    host.dispose();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A connection to a terminal host. Once `onClose` has come, every call rejects with `host_gone`. */
export class HostClient implements ToolService, Disposable {
  private readonly socket: Socket;
  private readonly wire: MessageConnection;
  private readonly store = new DisposableStore();
  private readonly closed = new Emitter<void>();
  private readonly progress = new Map<number, (message: string) => void>();
  /** Calls without an answer yet. */
  private readonly waiting = new Set<() => void>();
  private calls = 0;
  private isClosed = false;
  readonly onClose: Event<void> = this.closed.event;

  constructor(socket: Socket) {
    this.socket = socket;
    this.wire = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
    this.store.add(this.wire);
    this.wire.onNotification(rpc.ToolProgress, ({ call, message }) => this.progress.get(call)?.(message));
    socket.once('close', () => this.dispose());
    // Every error of a socket is followed by its close.
    socket.on('error', () => {});
    this.wire.listen();
  }

  list(sets: readonly Toolset[]): Promise<readonly ToolDescription[]> {
    return this.request(rpc.ListTools, { sets });
  }

  prepare(name: string, input: unknown, caller: Caller): Promise<Preparation> {
    return this.request(rpc.PrepareTool, { name, input, caller });
  }

  async invoke(name: string, input: unknown, caller: Caller, options: InvokeOptions): Promise<ToolOutcome> {
    const call = ++this.calls;
    const cancellation = new CancellationTokenSource();
    const onAbort = () => cancellation.cancel();
    options.signal.addEventListener('abort', onAbort, { once: true });
    this.progress.set(call, message => options.onProgress(message));
    const patience = Number.isFinite(options.patienceMs) ? { patienceMs: options.patienceMs } : {};
    try {
      const params = { call, name, input, caller, ...patience };
      return await this.settle(() => this.wire.sendRequest(rpc.InvokeTool, params, cancellation.token));
    } finally {
      options.signal.removeEventListener('abort', onAbort);
      this.progress.delete(call);
      cancellation.dispose();
    }
  }

  async release(owner: Owner): Promise<void> {
    await this.request(rpc.ReleaseOwner, owner);
  }

  endpoint(): Promise<rpc.McpEndpoint> {
    return this.settle(() => this.wire.sendRequest(rpc.GetEndpoint));
  }

  sessions(): Promise<readonly rpc.SessionInfo[]> {
    return this.settle(() => this.wire.sendRequest(rpc.ListSessions));
  }

  request<P, R>(type: RequestType<P, R, void>, params: P): Promise<R> {
    return this.settle(() => this.wire.sendRequest<R>(type.method, params));
  }

  notify<P>(type: NotificationType<P>, params: P): void {
    // What is sent to a host that has gone is told by `onClose`.
    if (!this.isClosed) this.wire.sendNotification(type.method, params).catch(() => {});
  }

  on<P>(type: NotificationType<P>, listener: (params: P) => void): Disposable {
    return this.store.add(this.wire.onNotification(type, listener));
  }

  /** An answer, or the reason why there is none. vscode-jsonrpc leaves the calls in flight without one when its connection closes. */
  private settle<T>(ask: () => Promise<T>): Promise<T> {
    if (this.isClosed) return Promise.reject(hostGone());
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => reject(hostGone());
      this.waiting.add(giveUp);
      ask()
        .then(resolve, error => reject(this.isClosed ? hostGone() : toGlassError(error)))
        .finally(() => this.waiting.delete(giveUp));
    });
  }

  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.store.dispose();
    this.socket.destroy();
    for (const giveUp of this.waiting) giveUp();
    this.waiting.clear();
    this.closed.fire();
    this.closed.dispose();
  }
}

function toGlassError(error: unknown): GlassError {
  if (error instanceof GlassError) return error;
  const data: unknown = error instanceof ResponseError ? error.data : undefined;
  const code = typeof data === 'object' && data && 'code' in data ? String(data.code) : 'internal_error';
  return new GlassError(code, messageOf(error), {}, { cause: error });
}

function hostGone(): GlassError {
  return new GlassError(
    'host_gone',
    'The process that held the terminals has ended, and the terminals with it. The next call starts a new one; begin again with a new terminal.',
  );
}
