import { expect, test } from 'vitest';
import { type Connection, mcpClients } from '../../src/vscode/mcpConfiguration';

const stdio: Connection = { kind: 'stdio', command: 'node', args: ['/opt/my tools/dist/cli.js'] };
const http: Connection = { kind: 'http', url: 'http://127.0.0.1:4711/mcp', token: 's3cret' };

function configure(label: string, connection: Connection): string {
  const client = mcpClients.find(one => one.label === label);
  if (!client) throw new Error(`no client ${label}`);
  return client.configure(connection);
}

test('VS Code', () => {
  expect(JSON.parse(configure('VS Code', stdio))).toEqual({
    servers: { 'glass-tty': { type: 'stdio', command: 'node', args: ['/opt/my tools/dist/cli.js'] } },
  });
  expect(JSON.parse(configure('VS Code', http))).toEqual({
    servers: { 'glass-tty': { type: 'http', url: http.url, headers: { Authorization: 'Bearer s3cret' } } },
  });
});

test('Cursor', () => {
  expect(JSON.parse(configure('Cursor', stdio)).mcpServers['glass-tty'].command).toBe('node');
  expect(JSON.parse(configure('Cursor', http)).mcpServers['glass-tty'].url).toBe(http.url);
});

test.skipIf(process.platform === 'win32')('Claude Code, as words of a shell', () => {
  expect(configure('Claude Code', stdio)).toBe("claude mcp add glass-tty -- node '/opt/my tools/dist/cli.js'");
  expect(configure('Claude Code', http)).toBe(
    "claude mcp add --transport http glass-tty http://127.0.0.1:4711/mcp --header 'Authorization: Bearer s3cret'",
  );
});

test('Codex', () => {
  expect(configure('Codex', stdio)).toBe(
    '[mcp_servers.glass-tty]\ncommand = "node"\nargs = ["/opt/my tools/dist/cli.js"]\n',
  );
  expect(configure('Codex', http)).toBe(
    '[mcp_servers.glass-tty]\nurl = "http://127.0.0.1:4711/mcp"\nhttp_headers = { Authorization = "Bearer s3cret" }\n',
  );
});
