import { GlassError } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { EndReport } from '../channel/channel';
import { type CommandOptions, openCommand } from './openCommand';
import { openShell, type SessionSetup, type ShellOptions } from './openShell';
import { type Owner, ownerKey } from './owner';
import { Profiles } from './profiles';
import type { Session } from './session';
import { Transcript } from './transcript';

/** Sessions that a host keeps at most: an agent that needs more has lost count of them. */
const MAX_SESSIONS = 256;
/** Commands that ran by themselves and have ended are kept for a second look, so many per owner. */
const MAX_ENDED_COMMANDS = 20;

export interface SessionChange {
  readonly kind: 'added' | 'changed' | 'removed';
  readonly session: Session;
}

/** All sessions of a host, by id and by their owner's number. */
export class SessionRegistry {
  /** What sessions, and commands outside of them, are started with. */
  readonly setup: SessionSetup;
  private readonly sessions = new Map<string, Session>();
  readonly profiles = new Profiles();
  private readonly transcripts = new Map<string, Transcript>();
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
    return this.all.filter(session => ownerKey(session.owner) === key);
  }

  /** An owner's terminals in the order of their numbers. */
  numberedOf(owner: Owner): (Session & { readonly number: number })[] {
    return this.ownedBy(owner)
      .filter((session): session is Session & { readonly number: number } => session.number !== undefined)
      .sort((a, b) => a.number - b.number);
  }

  /** The session that has run, or runs, a command of this id. */
  ofCommand(owner: Owner, commandId: string): Session | undefined {
    return this.ownedBy(owner).find(session => session.tracker.find(commandId) !== undefined);
  }

  find(owner: Owner, number: number): Session | undefined {
    return this.ownedBy(owner).find(session => session.number === number);
  }

  byId(id: string): Session | undefined {
    return this.sessions.get(id);
  }

  /** The lowest number that the owner does not use. */
  freeNumber(owner: Owner): number {
    const used = new Set(this.numberedOf(owner).map(session => session.number));
    let number = 0;
    while (used.has(number)) number++;
    return number;
  }

  /** Throws `too_many_terminals`, `shell_not_found`, `cwd_not_found` or `spawn_failed`. */
  open(options: ShellOptions): Session {
    this.assertRoom();
    return this.add(openShell(options, this.setup));
  }

  /** Runs a command by itself, in a pty. The owner's oldest commands that have ended make room for it. Throws as `open` does. */
  run(options: CommandOptions): Session {
    const ended = this.ownedBy(options.owner).filter(session => session.kind === 'command' && session.exit);
    for (const session of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_COMMANDS + 1))) void this.end(session);
    this.assertRoom();
    return this.add(openCommand(options, this.setup));
  }

  /**
   * Where a person sees the next of an owner's commands that have no terminal: one in which none runs at the moment. Throws
   * `too_many_terminals`.
   */
  transcript(owner: Owner, cwd: string): Transcript {
    const idle = this.ownedBy(owner)
      .map(session => this.transcripts.get(session.id))
      .find(one => one?.isIdle);
    if (idle) return idle;
    this.assertRoom();
    const transcript = new Transcript(owner, cwd, this.setup.logLimit);
    this.transcripts.set(transcript.session.id, transcript);
    this.add(transcript.session);
    return transcript;
  }

  private assertRoom(): void {
    if (this.sessions.size < MAX_SESSIONS) return;
    throw new GlassError(
      'too_many_terminals',
      `${MAX_SESSIONS} terminals are open already. LIST shows yours; KILL those you no longer need.`,
    );
  }

  private add(session: Session): Session {
    this.sessions.set(session.id, session);
    session.onChange(() => this.change.fire({ kind: 'changed', session }));
    this.change.fire({ kind: 'added', session });
    return session;
  }

  /** Ends a session's processes and forgets it, with its output. */
  async end(session: Session): Promise<EndReport> {
    const report = await session.end();
    this.transcripts.delete(session.id);
    if (this.sessions.delete(session.id)) {
      this.change.fire({ kind: 'removed', session });
      session.dispose();
    }
    return report;
  }

  /** Ends all of an owner's sessions: its connection has closed. */
  async release(owner: Owner): Promise<void> {
    this.profiles.release(owner);
    await Promise.all(this.ownedBy(owner).map(session => this.end(session)));
  }

  async endAll(): Promise<void> {
    await Promise.all(this.all.map(session => this.end(session)));
  }
}
