import { createHash } from 'node:crypto';
import { EventEmitter, lm, McpHttpServerDefinition, type McpServerDefinitionProvider, Uri } from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { mcpProvider } from './contributions';
import type { HostConnection } from './hostConnection';
import { onSettingChange, readSetting } from './settings';

/** Stands for the server until VS Code wants to start it: its port is known only then. */
const PLACEHOLDER = Uri.parse('http://127.0.0.1/mcp');

/** Offers the host's MCP server to VS Code, while the setting says so. */
export function registerMcpProvider(connection: HostConnection, version: string): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  store.add(onSettingChange('vscodeSurface', () => changed.fire()));
  store.add(onSettingChange('toolsets', () => changed.fire()));
  let lostHosts = 0;
  store.add(
    connection.onLost(() => {
      lostHosts++;
      changed.fire();
    }),
  );
  const provider: McpServerDefinitionProvider<McpHttpServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      if (readSetting('vscodeSurface') === 'languageModelTools') return [];
      // VS Code keeps calling a server that has died for as long as its definition stays the same, so the next host's is another.
      const uri = PLACEHOLDER.with({ fragment: String(lostHosts), query: toolsetsQuery() });
      return [new McpHttpServerDefinition(mcpProvider.label, uri, {}, version)];
    },
    async resolveMcpServerDefinition(definition) {
      const { client } = await connection.get();
      const { url, token } = await client.endpoint();
      definition.uri = Uri.parse(url).with({ query: toolsetsQuery() });
      definition.headers = { Authorization: `Bearer ${token}` };
      return definition;
    },
  };
  store.add(lm.registerMcpServerDefinitionProvider(mcpProvider.id, provider));
  return store;
}

function toolsetsQuery(): string {
  return `toolsets=${encodeURIComponent(readSetting('toolsets'))}`;
}

/** VS Code keeps a server's tools until this changes: with the extension, and with the tools during its development. */
export function serverVersion(extensionVersion: string, tools: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(tools)).digest('hex').slice(0, 8);
  return `${extensionVersion}+${hash}`;
}
