/** How another MCP client reaches these terminals. */
export type Connection =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string; readonly token: string };

/** A client that we can write the configuration of. */
export interface McpClient {
  readonly label: string;
  /** Where its configuration goes; undefined for a command line that is run once. */
  readonly file: string | undefined;
  configure(connection: Connection): string;
}

const name = 'glass-tty';

export const mcpClients: readonly McpClient[] = [
  {
    label: 'VS Code',
    file: 'mcp.json',
    configure: connection => json({ servers: { [name]: jsonServer(connection) } }),
  },
  { label: 'Claude Code', file: undefined, configure: claudeCommand },
  {
    label: 'Cursor',
    file: '~/.cursor/mcp.json',
    configure: connection => json({ mcpServers: { [name]: jsonServer(connection) } }),
  },
  { label: 'Codex', file: '~/.codex/config.toml', configure: codexTable },
];

function jsonServer(connection: Connection): Record<string, unknown> {
  if (connection.kind === 'http') {
    return { type: 'http', url: connection.url, headers: { Authorization: `Bearer ${connection.token}` } };
  }
  return { type: 'stdio', command: connection.command, args: connection.args };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function claudeCommand(connection: Connection): string {
  const words =
    connection.kind === 'http'
      ? ['--transport', 'http', name, connection.url, '--header', `Authorization: Bearer ${connection.token}`]
      : [name, '--', connection.command, ...connection.args];
  return ['claude', 'mcp', 'add', ...words].map(word => quote(word)).join(' ');
}

function codexTable(connection: Connection): string {
  const lines =
    connection.kind === 'http'
      ? [`url = ${toml(connection.url)}`, `http_headers = { Authorization = ${toml(`Bearer ${connection.token}`)} }`]
      : [`command = ${toml(connection.command)}`, `args = [${connection.args.map(toml).join(', ')}]`];
  return [`[mcp_servers.${name}]`, ...lines, ''].join('\n');
}

/** A TOML basic string has JSON's escapes. */
function toml(text: string): string {
  return JSON.stringify(text);
}

/** As a word for the platform's usual shells: sh and its kin, or PowerShell and cmd, which both take double quotes. */
function quote(word: string, platform = process.platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '""')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
