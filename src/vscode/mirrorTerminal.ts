import { type Disposable, EventEmitter, l10n, type Pseudoterminal, type TerminalDimensions } from 'vscode';
import { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { SessionInfo } from '../rpc/contract';
import { exitText, sessionName, tabName } from './sessionText';
import type { WindowHost } from './windowHost';

/** Everything off: the mirror's xterm as if it were new. */
const RESET = '\x1bc';

/**
 * The far end of a session's viewer: shows what the session's screen shows, and sends what is typed.
 *
 * `waiting` for a size, since a screen drawn at another width looks broken; `attaching`; `live`; or `over`, when nothing comes any more.
 */
export class MirrorTerminal implements Pseudoterminal, Disposable {
  private readonly host: WindowHost;
  private readonly log: Logger;
  private readonly store = new DisposableStore();
  private readonly written = this.store.add(new EventEmitter<string>());
  private readonly sized = this.store.add(new EventEmitter<TerminalDimensions | undefined>());
  private readonly named = this.store.add(new EventEmitter<string>());
  readonly onDidWrite = this.written.event;
  readonly onDidOverrideDimensions = this.sized.event;
  readonly onDidChangeName = this.named.event;

  private session: SessionInfo;
  private phase: 'waiting' | 'attaching' | 'live' | 'over' = 'waiting';
  private panel: TerminalDimensions | undefined;
  /** Another viewer has given the session a size that is not this panel's. */
  private isOverridden = false;
  private name: string;

  constructor(session: SessionInfo, host: WindowHost, log: Logger) {
    this.session = session;
    this.host = host;
    this.log = log;
    this.name = tabName(session);
  }

  open(dimensions: TerminalDimensions | undefined): void {
    this.named.fire(this.name);
    if (this.phase === 'over') this.sayEnd();
    // Without a size the terminal has not been in view; `setDimensions` comes when it is.
    else if (dimensions) this.setDimensions(dimensions);
  }

  setDimensions(dimensions: TerminalDimensions): void {
    this.panel = dimensions;
    if (this.phase === 'over') return;
    this.claimSize();
    if (this.phase === 'waiting') this.attach();
  }

  handleInput(data: string): void {
    if (this.phase === 'over' || this.session.state === 'exited') return;
    // Who types has the say about the size.
    if (this.isOverridden) this.claimSize();
    this.host.type(this.session.id, data);
  }

  /** VS Code has closed the terminal. */
  close(): void {
    this.dispose();
  }

  /** Output of the session. */
  receive(data: string): void {
    // What the viewer before this attachment had on its way is in the replay.
    if (this.phase !== 'live') return;
    this.written.fire(data);
    this.host.acknowledge(this.session.id, data.length);
  }

  /** The session has this size now, whoever gave it. */
  resized(columns: number, rows: number): void {
    const isOurs = columns === this.panel?.columns && rows === this.panel.rows;
    if (isOurs && !this.isOverridden) return;
    this.isOverridden = !isOurs;
    this.sized.fire(isOurs ? undefined : { columns, rows });
  }

  update(session: SessionInfo): void {
    const hasExited = session.state === 'exited' && this.session.state !== 'exited';
    this.session = session;
    this.rename(tabName(session));
    // The last output may still be on its way, so the end is told below a fresh picture.
    if (hasExited && this.phase === 'live') this.attach(RESET);
  }

  /** The host has died. */
  lose(): void {
    if (this.phase === 'over') return;
    this.phase = 'over';
    // It has told its own end already.
    if (this.session.state === 'exited') return;
    this.rename(l10n.t('{0} (ended)', sessionName(this.session)));
    this.sayEnd();
  }

  private attach(before = ''): void {
    this.phase = 'attaching';
    this.host.attach(this.session.id).then(
      ({ session, replay }) => {
        if (this.phase !== 'attaching') return;
        this.phase = 'live';
        this.session = session;
        this.written.fire(before + replay);
        this.resized(session.cols, session.rows);
        this.rename(tabName(session));
        if (session.state === 'exited') this.say(l10n.t('The shell has ended: {0}.', exitText(session)));
      },
      // A session that has gone closes this terminal, and a host that has gone calls `lose`.
      error => this.log.warn(`${sessionName(this.session)} cannot be shown: ${error}`),
    );
  }

  private claimSize(): void {
    if (this.panel) this.host.resize(this.session.id, this.panel.columns, this.panel.rows);
  }

  private rename(name: string): void {
    if (name === this.name) return;
    this.name = name;
    this.named.fire(name);
  }

  private sayEnd(): void {
    this.say(l10n.t('The terminal host has ended, and this terminal with it.'));
  }

  /** A line of our own below the output, which cannot be taken for it. */
  private say(text: string): void {
    this.written.fire(`\x1b[0m\r\n\x1b[2m[${text}]\x1b[0m\r\n`);
  }

  dispose(): void {
    if (this.phase !== 'over') this.host.detach(this.session.id);
    this.phase = 'over';
    this.store.dispose();
  }
}
