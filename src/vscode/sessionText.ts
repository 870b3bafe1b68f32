import { l10n } from 'vscode';
import type { SessionInfo } from '../rpc/contract';

/** What a person calls a session: `Copilot 0`. */
export function sessionName(session: SessionInfo): string {
  if (session.kind === 'transcript') return l10n.t('{0} commands', session.owner.label);
  return `${session.owner.label} ${session.number ?? commandLine(session)}`;
}

/** The name on its tab, which also tells when the person has the keyboard (first, for tabs are narrow), and when it has ended. */
export function tabName(session: SessionInfo): string {
  if (session.state !== 'exited') {
    if (session.keyboard === 'agent') return sessionName(session);
    return session.isTakenOver
      ? l10n.t('You hold · {0}', sessionName(session))
      : l10n.t('You · {0}', sessionName(session));
  }
  return l10n.t('{0} (exited {1})', sessionName(session), session.signal ?? session.exitCode ?? '?');
}

/** Whether ending it would end something of the person's or the agent's; one whose state is only guessed may be busy. */
export function isBusy(session: SessionInfo): boolean {
  if (session.state === 'exited') return false;
  return session.confidence === 'text' || !(session.state === 'prompt' || session.state === 'starting');
}

/** What it is doing, in a few words. */
export function activityOf(session: SessionInfo): string {
  switch (session.state) {
    case 'starting':
      return l10n.t('starting');
    case 'prompt':
      return l10n.t('at the prompt');
    case 'continuation':
      return l10n.t('waits for the rest of a command line');
    case 'exited':
      return exitText(session);
    case 'input':
      return l10n.t('{0} waits for input', session.program ?? commandLine(session));
    case 'secret':
      return l10n.t('{0} asks for a password', session.program ?? commandLine(session));
    default:
      return l10n.t('running {0}', commandLine(session));
  }
}

/** How its shell ended. */
export function exitText(session: SessionInfo): string {
  if (session.signal !== undefined) return l10n.t('ended by {0}', session.signal);
  return session.exitCode === undefined ? l10n.t('ended') : l10n.t('exited with code {0}', session.exitCode);
}

/** Characters of a command line that are shown at most. */
const COMMAND_WIDTH = 60;

/** The first line of what runs, short enough for a message. */
export function commandLine(session: SessionInfo): string {
  const line = (session.command ?? session.title).split('\n')[0] ?? '';
  return line.length > COMMAND_WIDTH ? `${line.slice(0, COMMAND_WIDTH - 1)}…` : line;
}
