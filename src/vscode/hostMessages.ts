import { type Disposable, type LogOutputChannel, l10n, window } from 'vscode';
import type { HostConnection } from './hostConnection';

/** Tells the person, once for each, that a host has died under the terminals. */
export function warnOfLostHosts(connection: HostConnection, log: LogOutputChannel): Disposable {
  return connection.onLost(async () => {
    const showLog = l10n.t('Show Log');
    const message = l10n.t(
      'The terminal host has ended, and its terminals with it. The next command starts a new one.',
    );
    if ((await window.showWarningMessage(message, showLog)) === showLog) log.show();
  });
}
