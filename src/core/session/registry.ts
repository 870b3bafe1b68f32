import { GlassError } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { EndReport } from '../channel/channel';
import { openShell, type SessionSetup, type ShellOptions } from './openShell';
import { type Owner, ownerKey } from './owner';
import type { Session } from './session';

/** Sessions that a host keeps at most: an agent that needs more has lost count of them. */
const MAX_SESSIONS = 256;

export interface SessionChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly session: Session;
}

/** All sessions of a host, by id and by their owner's number. */
export class SessionRegistry {
  /** What sessions, and commands outside of them, are started with. */
  readonly setup: SessionSetup;
  private readonly sessions = new Map<string, Session>();
  private readonly change = new Emitter<SessionChange>();
  readonly onChange = this.change.event;

  constructor(setup: SessionSetup) {
    this.setup = setup;
  }

  get all(): readonly Session[] {
    return [...this.sessions.values()];
  }

  ownedBy(owner: Owner): Session[] {
    const key = ownerKey(owner);
    return this.all.filter(session => ownerKey(session.owner) === key).sort((a, b) => a.number - b.number);
  }

  find(owner: Owner, number: number): Session | undefined {
    return this.ownedBy(owner).find(session => session.number === number);
  }

  byId(id: string): Session | undefined {
    return this.sessions.get(id);
  }

  /** The lowest number that the owner does not use. */
  freeNumber(owner: Owner): number {
    const used = new Set(this.ownedBy(owner).map(session => session.number));
    let number = 0;
    while (used.has(number)) number++;
    return number;
  }

  /** Throws `too_many_terminals`, `shell_not_found`, `cwd_not_found` or `spawn_failed`. */
  open(options: ShellOptions): Session {
    if (this.sessions.size >= MAX_SESSIONS) {
      throw new GlassError(
        'too_many_terminals',
        `${MAX_SESSIONS} terminals are open already. LIST shows yours; KILL those you no longer need.`,
      );
    }
    const session = openShell(options, this.setup);
    this.sessions.set(session.id, session);
    session.onChange(() => this.change.fire({ kind: 'changed', session }));
    this.change.fire({ kind: 'added', session });
    return session;
  }

  /** Ends a session's processes and forgets it, with its output. */
  async end(session: Session): Promise<EndReport> {
    const report = await session.end();
    if (this.sessions.delete(session.id)) {
      this.change.fire({ kind: 'removed', session });
      session.dispose();
    }
    return report;
  }

  /** Ends all of an owner's sessions: its connection has closed. */
  async release(owner: Owner): Promise<void> {
    await Promise.all(this.ownedBy(owner).map(session => this.end(session)));
  }

  async endAll(): Promise<void> {
    await Promise.all(this.all.map(session => this.end(session)));
  }
}
