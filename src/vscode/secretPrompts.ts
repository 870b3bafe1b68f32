import { type InputBox, l10n, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { SessionInfo } from '../rpc/contract';
import type { HostConnection } from './hostConnection';
import type { Mirrors } from './mirrors';
import type { SessionList } from './sessionList';
import { sessionName } from './sessionText';

export interface SecretPromptsOptions {
  readonly connection: HostConnection;
  readonly sessions: SessionList;
  readonly mirrors: Mirrors;
}

/**
 * Tells the person when a program asks for a secret, which the agent must not type, and offers a box for it. What is entered goes to the terminal alone.
 */
export class SecretPrompts implements Disposable {
  private readonly options: SecretPromptsOptions;
  private readonly store = new DisposableStore();
  /** Sessions that ask at this moment, with the box if it is open. */
  private readonly asking = new Map<string, InputBox | undefined>();

  constructor(options: SecretPromptsOptions) {
    this.options = options;
    this.store.add(options.sessions.onChange(({ kind, session }) => this.follow(session, kind === 'removed')));
    this.store.add(options.connection.onLost(() => this.forgetAll()));
  }

  private follow(session: SessionInfo, isRemoved: boolean): void {
    const isAsking = session.state === 'secret' && !isRemoved;
    if (isAsking === this.asking.has(session.id)) return;
    if (!isAsking) return this.forget(session.id);
    this.asking.set(session.id, undefined);
    this.options.mirrors.show(session, true);
    void this.tell(session);
  }

  private async tell(session: SessionInfo): Promise<void> {
    const enter = l10n.t('Enter Password…');
    const show = l10n.t('Show Terminal');
    const answer = await window.showWarningMessage(questionOf(session), enter, show);
    // It may have been answered in the terminal meanwhile.
    if (!this.asking.has(session.id)) return;
    if (answer === show) this.options.mirrors.show(session, false);
    if (answer === enter) this.openBox(session);
  }

  private openBox(session: SessionInfo): void {
    const box = window.createInputBox();
    box.password = true;
    box.ignoreFocusOut = true;
    box.title = questionOf(session);
    box.prompt = l10n.t('Goes straight to the terminal; neither the agent nor any log sees it.');
    box.onDidAccept(() => {
      this.options.connection.current?.type(session.id, `${box.value}\r`);
      box.hide();
    });
    box.onDidHide(() => {
      if (this.asking.get(session.id) === box) this.asking.set(session.id, undefined);
      box.dispose();
    });
    this.asking.set(session.id, box);
    box.show();
  }

  private forget(id: string): void {
    this.asking.get(id)?.hide();
    this.asking.delete(id);
  }

  private forgetAll(): void {
    for (const id of [...this.asking.keys()]) this.forget(id);
  }

  dispose(): void {
    this.store.dispose();
    this.forgetAll();
  }
}

function questionOf(session: SessionInfo): string {
  return l10n.t('{0} in {1} asks for a password', session.program ?? l10n.t('A program'), sessionName(session));
}
