import { env, l10n, type QuickPickItem, window } from 'vscode';
import type { HostConnection } from './hostConnection';
import { type Connection, type McpClient, mcpClients } from './mcpConfiguration';

interface Choice extends QuickPickItem {
  readonly client: McpClient;
  readonly transport: Connection['kind'];
}

/** Asks for which client, and puts its configuration on the clipboard. `cli` is the path of dist/cli.js. */
export async function copyMcpConfiguration(host: HostConnection, cli: string): Promise<void> {
  const choice = await window.showQuickPick(mcpClients.flatMap(choicesOf), {
    title: l10n.t('Copy MCP Configuration'),
    placeHolder: l10n.t('The program that should use these terminals'),
  });
  if (!choice) return;
  const connection: Connection =
    choice.transport === 'stdio'
      ? { kind: 'stdio', command: 'node', args: [cli] }
      : { kind: 'http', ...(await (await host.get()).client.endpoint()) };
  await env.clipboard.writeText(choice.client.configure(connection));
  window.showInformationMessage(`${whatToDo(choice.client)} ${untilWhen(choice.transport)}`);
}

function choicesOf(client: McpClient): Choice[] {
  const where = client.file ?? 'claude mcp add';
  return [
    {
      label: client.label,
      description: where,
      detail: l10n.t('Starts a server of its own with Node.js, version 20.19 or later.'),
      client,
      transport: 'stdio',
    },
    {
      label: l10n.t('{0}, over HTTP', client.label),
      description: where,
      detail: l10n.t("Connects to this window's terminal host. The address and the token change with each host."),
      client,
      transport: 'http',
    },
  ];
}

function whatToDo({ label, file }: McpClient): string {
  if (file === undefined) return l10n.t('Copied. Run it in a terminal; {0} then has these tools.', label);
  return l10n.t('Copied. Put it into {1} for {0}.', label, file);
}

function untilWhen(kind: Connection['kind']): string {
  return kind === 'stdio'
    ? l10n.t('It names the folder of this version of Glass TTY: copy it again after an update.')
    : l10n.t('It holds a secret token, and works until the terminal host ends.');
}
