import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** What each room may import beside itself and Node: rooms below it, and the packages that are its business. */
const rules: Readonly<Record<string, { rooms: readonly string[]; packages: readonly string[] }>> = {
  base: { rooms: [], packages: [] },
  core: {
    rooms: ['base'],
    packages: [
      'node-pty',
      '@xterm/headless',
      '@xterm/addon-serialize',
      '@xterm/addon-unicode11',
      'get-east-asian-width',
      'string-width',
      'wrap-ansi',
    ],
  },
  tools: { rooms: ['base', 'core'], packages: ['zod'] },
  rpc: { rooms: ['base', 'core', 'tools'], packages: ['vscode-jsonrpc/node'] },
  mcp: { rooms: ['base', 'core', 'tools', 'rpc'], packages: ['@modelcontextprotocol/sdk'] },
  vscode: { rooms: ['base', 'core', 'tools', 'rpc'], packages: ['vscode', 'vscode-jsonrpc/node'] },
};

/** The entries wire everything; only the extension's may know VS Code. */
const entries: Readonly<Record<string, readonly string[]>> = {
  'extension.ts': ['base', 'core', 'tools', 'rpc', 'vscode'],
  'host.ts': ['base', 'core', 'tools', 'rpc', 'mcp'],
  'cli.ts': ['base', 'core', 'tools', 'rpc', 'mcp'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function imports(): Import[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8');
      const found = text.matchAll(
        /(?:^|\n)\s*(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
      );
      return [...found].map(match => ({ file: file.split(sep).join('/'), specifier: match[1] ?? match[2] ?? '' }));
    });
}

function problemWith({ file, specifier }: Import): string | undefined {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return undefined;
  const room = file.includes('/') ? file.slice(0, file.indexOf('/')) : '';
  const rule = room === '' ? undefined : rules[room];
  const rooms = room === '' ? (entries[file] ?? []) : [room, ...(rule?.rooms ?? [])];
  if (!specifier.startsWith('.')) {
    const packages =
      room === '' ? (file === 'extension.ts' ? ['vscode'] : ['@modelcontextprotocol/sdk']) : (rule?.packages ?? []);
    const isAllowed = packages.some(name => specifier === name || specifier.startsWith(`${name}/`));
    return isAllowed ? undefined : `${file} may not use the package ${specifier}`;
  }
  const target = relative(root, resolve(root, dirname(file), specifier)).split(sep);
  if (target[0] === '..') return target.join('/') === '../package.json' ? undefined : `${file} imports ${specifier}`;
  return rooms.includes(target[0] ?? '') ? undefined : `${file} may not import ${specifier}`;
}

describe('the rooms of src', () => {
  it('import only downwards, and only their own packages', () => {
    const all = imports();
    expect(all.length).toBeGreaterThan(80);
    expect(all.map(problemWith).filter(Boolean)).toEqual([]);
  });

  it('are caught when they climb', () => {
    const bad: Import[] = [
      { file: 'core/session/session.ts', specifier: '../../tools/tool' },
      { file: 'core/session/session.ts', specifier: 'vscode' },
      { file: 'mcp/server.ts', specifier: '../vscode/mirrors' },
      { file: 'tools/terminal.ts', specifier: '../rpc/contract' },
      { file: 'cli.ts', specifier: 'vscode' },
      { file: 'host.ts', specifier: './vscode/settings' },
    ];
    expect(bad.map(problemWith).every(Boolean)).toBe(true);
  });
});
