import { type ExtensionContext, window } from 'vscode';
import { DisposableStore } from './base/lifecycle';
import { folders } from './vscode/caller';
import { registerCommands } from './vscode/commands';
import { HostConnection } from './vscode/hostConnection';
import { warnOfLostHosts } from './vscode/hostMessages';
import { registerTools } from './vscode/lmTools';
import { registerMcpProvider, serverVersion } from './vscode/mcpProvider';
import { Mirrors } from './vscode/mirrors';
import { RememberedCommands } from './vscode/rememberedCommands';
import { tellRules } from './vscode/rules';
import { SecretPrompts } from './vscode/secretPrompts';
import { SessionList } from './vscode/sessionList';
import { graceMs } from './vscode/settings';
import { closedByPerson } from './vscode/terminalCommands';

/** Starts nothing: the host comes with the first call that needs it. One that is running already has its mirrors brought back. */
export function activate(context: ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const log = store.add(window.createOutputChannel('Glass TTY', { log: true }));
  const place = () => ({
    script: context.asAbsolutePath('dist/host.js'),
    // Windows without a folder share one host.
    workspace: (context.storageUri ?? context.globalStorageUri).toString(),
    folders: folders(),
    graceMs: graceMs(),
  });
  const connection = store.add(new HostConnection(place, log));
  const sessions = store.add(new SessionList(connection));
  const onClosedByPerson = (session: Parameters<typeof closedByPerson>[1]) =>
    void closedByPerson(connection, session).catch(error => log.error('Ending a terminal failed', error));
  const mirrors = store.add(new Mirrors({ connection, sessions, log, onClosedByPerson }));
  store.add(new SecretPrompts({ connection, sessions, mirrors }));
  store.add(tellRules(connection));

  const { version, contributes } = context.extension.packageJSON as PackageJson;
  const tools = contributes.languageModelTools;
  store.add(warnOfLostHosts(connection, log));
  store.add(
    registerTools(
      tools.map(tool => tool.name),
      connection,
      log,
    ),
  );
  store.add(registerMcpProvider(connection, serverVersion(version, tools)));
  const remembered = store.add(new RememberedCommands());
  store.add(
    registerCommands({ connection, sessions, mirrors }, remembered, context.asAbsolutePath('dist/cli.js'), log),
  );

  connection.find().catch(error => log.error('The terminal host was not looked for', error));
}

/** The part of package.json that the generator writes and this reads. */
interface PackageJson {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}
