import { type Terminal, TerminalExitReason, ThemeIcon, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { SessionInfo } from '../rpc/contract';
import type { HostConnection } from './hostConnection';
import { MirrorTerminal } from './mirrorTerminal';
import type { SessionEvent, SessionList } from './sessionList';
import { sessionName, tabName } from './sessionText';
import type { WindowHost } from './windowHost';

interface Mirror {
  readonly terminal: Terminal;
  readonly pty: MirrorTerminal;
}

export interface MirrorsOptions {
  readonly connection: HostConnection;
  readonly sessions: SessionList;
  readonly log: Logger;
  /** The person has closed the mirror of a session that is still there. */
  readonly onClosedByPerson: (session: SessionInfo) => void;
}

/** The terminals in this window's panel that show the host's sessions, at most one each. */
export class Mirrors implements Disposable {
  private readonly options: MirrorsOptions;
  private readonly mirrors = new Map<string, Mirror>();
  private readonly store = new DisposableStore();

  constructor(options: MirrorsOptions) {
    this.options = options;
    const { connection, sessions } = options;
    this.store.add(connection.onConnect(host => this.follow(host)));
    this.store.add(connection.onLost(() => this.lose()));
    this.store.add(sessions.onChange(event => this.handle(event)));
    this.store.add(window.onDidCloseTerminal(terminal => this.closed(terminal)));
  }

  /** The session in the panel's active terminal. */
  get active(): SessionInfo | undefined {
    return window.activeTerminal && this.sessionOf(window.activeTerminal);
  }

  /** The session that a terminal is the mirror of. */
  sessionOf(terminal: Terminal): SessionInfo | undefined {
    const id = this.idOf(terminal);
    return id === undefined ? undefined : this.options.sessions.get(id);
  }

  /** Brings a session's mirror to the front, and makes one if the person has closed it. */
  show(session: SessionInfo, preserveFocus: boolean): void {
    const mirror = this.mirrors.get(session.id) ?? this.create(session);
    mirror?.terminal.show(preserveFocus);
  }

  private follow(host: WindowHost): void {
    host.onViewerData(({ id, data }) => this.mirrors.get(id)?.pty.receive(data));
    host.onViewerSize(({ id, cols, rows }) => this.mirrors.get(id)?.pty.resized(cols, rows));
  }

  private handle({ kind, session }: SessionEvent): void {
    switch (kind) {
      case 'added':
        return this.present(session);
      case 'found':
        if (session.kind !== 'command') this.create(session);
        return;
      case 'changed':
        return this.mirrors.get(session.id)?.pty.update(session);
      default:
        return this.remove(session.id);
    }
  }

  /**
   * A new session comes into view, so that the person sees what is done in their name, but not in the place of a terminal that they work in: VS Code
   * takes the keyboard from a terminal that goes out of view, even when asked to preserve the focus.
   */
  private present(session: SessionInfo): void {
    // Commands that run by themselves come and go; Show Terminal shows one.
    if (session.kind === 'command') return;
    const { activeTerminal } = window;
    const isTheirs = activeTerminal !== undefined && this.idOf(activeTerminal) === undefined;
    if (isTheirs && activeTerminal.state.isInteractedWith) this.create(session);
    else this.show(session, true);
  }

  private create(session: SessionInfo): Mirror | undefined {
    const host = this.options.connection.current;
    if (!host) return undefined;
    const pty = new MirrorTerminal(session, host, this.options.log);
    const terminal = window.createTerminal({
      name: tabName(session),
      pty,
      iconPath: new ThemeIcon('terminal'),
      // The host keeps the session; a terminal that VS Code brought back would have nobody behind it.
      isTransient: true,
      shellIntegrationNonce: session.nonce,
    });
    const mirror = { terminal, pty };
    this.mirrors.set(session.id, mirror);
    return mirror;
  }

  /** Forgotten first, so that its closing is not taken for the person's. */
  private remove(id: string): void {
    const mirror = this.mirrors.get(id);
    this.mirrors.delete(id);
    mirror?.terminal.dispose();
  }

  private closed(terminal: Terminal): void {
    const id = this.idOf(terminal);
    if (id === undefined) return;
    this.mirrors.delete(id);
    const session = this.options.sessions.get(id);
    // A window that closes or reloads also closes its terminals, and the sessions have to outlive that.
    if (session && terminal.exitStatus?.reason === TerminalExitReason.User) {
      this.options.log.info(`The mirror of ${sessionName(session)} was closed by the person.`);
      this.options.onClosedByPerson(session);
    }
  }

  /** The terminals stay, to be read; they are no session's any more. */
  private lose(): void {
    for (const { pty } of this.mirrors.values()) pty.lose();
    this.mirrors.clear();
  }

  private idOf(terminal: Terminal): string | undefined {
    for (const [id, mirror] of this.mirrors) if (mirror.terminal === terminal) return id;
    return undefined;
  }

  dispose(): void {
    this.store.dispose();
    for (const id of [...this.mirrors.keys()]) this.remove(id);
  }
}
