import { Emitter } from '../base/event';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { SessionInfo } from '../rpc/contract';
import type { HostConnection } from './hostConnection';
import type { WindowHost } from './windowHost';

/** `found` is a session that was there before this window connected, `added` one that has just been opened. */
export interface SessionEvent {
  readonly kind: 'found' | 'added' | 'changed' | 'removed';
  readonly session: SessionInfo;
}

/** The sessions of the connected host, as this window knows them; empty without a host. */
export class SessionList implements Disposable {
  private readonly connection: HostConnection;
  private readonly sessions = new Map<string, SessionInfo>();
  private readonly store = new DisposableStore();
  private readonly change = this.store.add(new Emitter<SessionEvent>());
  readonly onChange = this.change.event;

  constructor(connection: HostConnection) {
    this.connection = connection;
    this.store.add(connection.onConnect(host => this.follow(host)));
    this.store.add(connection.onLost(() => this.sessions.clear()));
  }

  get all(): readonly SessionInfo[] {
    return [...this.sessions.values()];
  }

  get(id: string): SessionInfo | undefined {
    return this.sessions.get(id);
  }

  private follow(host: WindowHost): void {
    // Listening first: a session that is opened before the list comes is in one of the two.
    host.onSessionChange(change => this.handle(change));
    host.client.sessions().then(
      found => {
        if (this.connection.current !== host) return;
        for (const session of found) if (!this.sessions.has(session.id)) this.handle({ kind: 'found', session });
      },
      // A host that goes before it answers is told by `onLost`.
      () => {},
    );
  }

  private handle(event: SessionEvent): void {
    if (event.kind === 'removed') this.sessions.delete(event.session.id);
    else this.sessions.set(event.session.id, event.session);
    this.change.fire(event);
  }

  dispose(): void {
    this.store.dispose();
  }
}
