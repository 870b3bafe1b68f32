import { commands, type Disposable, type LogOutputChannel, window } from 'vscode';
import { messageOf } from '../base/errors';
import { DisposableStore } from '../base/lifecycle';
import type { CommandId } from './contributions';
import { copyMcpConfiguration } from './copyMcpConfiguration';
import type { RememberedCommands } from './rememberedCommands';
import { shareTerminal } from './shareTerminal';
import { endTerminal, newTerminal, setKeyboard, showTerminal, type Terminals } from './terminalCommands';

/** Registers every declared command. `cli` is the path of dist/cli.js. */
export function registerCommands(
  terminals: Terminals,
  remembered: RememberedCommands,
  cli: string,
  log: LogOutputChannel,
): Disposable {
  const handlers: Record<CommandId, (...args: unknown[]) => Promise<void>> = {
    'glassTty.newTerminal': () => newTerminal(terminals),
    'glassTty.shareTerminal': clicked => shareTerminal(terminals, remembered, clicked),
    'glassTty.showTerminal': () => showTerminal(terminals),
    'glassTty.endTerminal': () => endTerminal(terminals),
    'glassTty.takeOver': () => setKeyboard(terminals, 'person'),
    'glassTty.handBack': () => setKeyboard(terminals, 'agent'),
    'glassTty.copyMcpConfiguration': () => copyMcpConfiguration(terminals.connection, cli),
    'glassTty.showLog': () => showLog(log),
  };
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries(handlers)) {
    store.add(commands.registerCommand(id, (...args) => handler(...args).catch(error => report(id, error, log))));
  }
  return store;
}

async function showLog(log: LogOutputChannel): Promise<void> {
  const { hostLogPath } = await import('./windowHost');
  log.info(`The terminal host writes its own log to ${hostLogPath()}`);
  log.show();
}

function report(id: string, error: unknown, log: LogOutputChannel): void {
  log.error(`${id} failed`, error);
  window.showErrorMessage(messageOf(error));
}
