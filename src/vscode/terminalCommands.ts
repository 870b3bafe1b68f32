import { l10n, type QuickPickItem, window } from 'vscode';
import type { EndReport } from '../core/channel/channel';
import type { KeyboardHolder } from '../core/session/keyboard';
import type { SessionInfo } from '../rpc/contract';
import { windowCaller } from './caller';
import type { HostConnection } from './hostConnection';
import type { Mirrors } from './mirrors';
import type { SessionList } from './sessionList';
import { activityOf, isBusy, sessionName } from './sessionText';

/** What the commands about terminals work with. */
export interface Terminals {
  readonly connection: HostConnection;
  readonly sessions: SessionList;
  readonly mirrors: Mirrors;
}

/** Opens a terminal that the agent has too: its number is the same for both. */
export async function newTerminal({ connection, mirrors }: Terminals): Promise<void> {
  const host = await connection.get();
  mirrors.show(await host.openSession(windowCaller()), false);
}

export async function showTerminal(terminals: Terminals): Promise<void> {
  await terminals.connection.find();
  const session = await pickSession(terminals, l10n.t('Show Terminal'));
  if (session) terminals.mirrors.show(session, false);
}

/** In the active terminal, or asks which. */
export async function setKeyboard(terminals: Terminals, holder: KeyboardHolder): Promise<void> {
  const title = holder === 'person' ? l10n.t('Take Over the Keyboard') : l10n.t('Hand Back to Agent');
  const session = terminals.mirrors.active ?? (await pickSession(terminals, title));
  if (session) terminals.connection.current?.setKeyboard(session.id, holder);
}

/** Ends the session in the active terminal, or asks which. */
export async function endTerminal(terminals: Terminals): Promise<void> {
  const session = terminals.mirrors.active ?? (await pickSession(terminals, l10n.t('End Terminal')));
  if (!session) return;
  if (isBusy(session)) {
    const end = l10n.t('End Terminal');
    const detail = l10n.t('Everything that was started in it is ended too.');
    const question = l10n.t('End {0} ({1})?', sessionName(session), activityOf(session));
    if ((await window.showWarningMessage(question, { modal: true, detail }, end)) !== end) return;
  }
  const report = await endSession(terminals.connection, session);
  if (report && report.survivors.length === 0) window.showInformationMessage(howItEnded(session, report));
}

/** What becomes of a session whose mirror the person has closed: an idle one ends, of a busy one they are asked. */
export async function closedByPerson(connection: HostConnection, session: SessionInfo): Promise<void> {
  // A transcript is only to be looked at; what runs goes on without it.
  if (session.kind !== 'transcript' && isBusy(session)) {
    const end = l10n.t('End Terminal');
    const message = l10n.t('{0} is closed, but its session goes on ({1}).', sessionName(session), activityOf(session));
    if ((await window.showWarningMessage(message, end, l10n.t('Keep Running'))) !== end) return;
  }
  await endSession(connection, session);
}

/** Survivors are always told of: the person meant them to end. */
async function endSession(connection: HostConnection, session: SessionInfo): Promise<EndReport | undefined> {
  const report = await connection.current?.endSession(session.id);
  if (report && report.survivors.length > 0) {
    const left = report.survivors.map(one => `${one.command} (${one.pid})`).join(', ');
    window.showWarningMessage(l10n.t('{0} These processes are still there: {1}', howItEnded(session, report), left));
  }
  return report;
}

function howItEnded(session: SessionInfo, { signal }: EndReport): string {
  if (signal === 'none') return l10n.t('{0} is closed; its shell had ended already.', sessionName(session));
  return l10n.t('{0} was ended by {1}.', sessionName(session), signal);
}

interface SessionItem extends QuickPickItem {
  readonly session: SessionInfo;
}

async function pickSession({ sessions }: Terminals, title: string): Promise<SessionInfo | undefined> {
  if (sessions.all.length === 0) {
    window.showInformationMessage(l10n.t('No terminals of Glass TTY are open.'));
    return undefined;
  }
  const items = sessions.all.map(
    (session): SessionItem => ({
      label: sessionName(session),
      description: activityOf(session),
      detail: session.cwd,
      session,
    }),
  );
  return (await window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true }))?.session;
}
