import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names listed at most: a directory with more is better looked into by hand. */
const MAX_COMMANDS = 200;

type Finder = { readonly file: string; find(text: string): string[] };

/** What projects say can be run in them, by the file that says it. */
const finders: readonly Finder[] = [
  { file: 'package.json', find: text => keysOf(parseJson(text)?.['scripts']).map(name => `npm run ${name}`) },
  { file: 'Makefile', find: text => targetsOf(text).map(name => `make ${name}`) },
  { file: 'makefile', find: text => targetsOf(text).map(name => `make ${name}`) },
  { file: 'justfile', find: text => recipesOf(text).map(name => `just ${name}`) },
  { file: '.vscode/tasks.json', find: text => taskLabels(text).map(label => `task: ${label}`) },
  { file: 'Cargo.toml', find: () => ['cargo build', 'cargo test', 'cargo run', 'cargo check'] },
  { file: 'pyproject.toml', find: text => scriptsOf(text) },
];

/** The commands that a directory's own files offer, in the order of those files. A file that cannot be understood offers nothing. */
export async function availableCommands(directory: string): Promise<string[]> {
  const found = await Promise.all(finders.map(finder => look(directory, finder)));
  return [...new Set(found.flat())].slice(0, MAX_COMMANDS);
}

async function look(directory: string, { file, find }: Finder): Promise<string[]> {
  try {
    return find(await readFile(join(directory, file), 'utf8'));
  } catch {
    // Most directories have few of these files; one that cannot be read is as good as none.
    return [];
  }
}

function parseJson(text: string): Record<string, unknown> | undefined {
  // tasks.json may have comments, on lines of their own as a rule.
  const value: unknown = JSON.parse(text.replace(/^\s*\/\/.*$/gm, ''));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function taskLabels(text: string): string[] {
  const tasks = parseJson(text)?.['tasks'];
  if (!Array.isArray(tasks)) return [];
  return tasks.map((task: { label?: unknown }) => task.label).filter(label => typeof label === 'string');
}

/** Targets that stand at the beginning of a line, without patterns, special targets and assignments. */
function targetsOf(text: string): string[] {
  return [...text.matchAll(/^([A-Za-z0-9][\w./-]*)\s*:(?![:=])/gm)].map(match => match[1] ?? '');
}

function recipesOf(text: string): string[] {
  return [...text.matchAll(/^@?([A-Za-z_][\w-]*)(?:\s+[^:\n]*)?:(?!=)/gm)].map(match => match[1] ?? '');
}

/** The names in `[project.scripts]` (PEP 621). */
function scriptsOf(text: string): string[] {
  const section = /^\[project\.scripts\]\s*\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^"?([\w.-]+)"?\s*=/gm)].map(match => match[1] ?? '');
}
