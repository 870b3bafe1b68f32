import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { availableCommands } from '../../src/tools/availableCommands';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glass-tty-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['package.json', '{"scripts":{"a":"x","b:c":"y"}}', ['npm run a', 'npm run b:c']],
  ['Makefile', 'V := 1\nall: x.o\n\tcc\n.PHONY: all\nclean :\n%.o: %.c\n', ['make all', 'make clean']],
  ['justfile', 'x := "1"\nbuild target="all":\n  cc\n@test:\n  t\n', ['just build', 'just test']],
  ['.vscode/tasks.json', '{\n  // comment\n  "tasks":[{"label":"Build it"},{"type":"npm"}]}', ['task: Build it']],
  ['Cargo.toml', '[package]\n', ['cargo build', 'cargo test', 'cargo run', 'cargo check']],
  [
    'pyproject.toml',
    '[project.scripts]\nmy-tool = "m:main"\n"other" = "m:o"\n\n[tool.x]\nnot = 1\n',
    ['my-tool', 'other'],
  ],
  ['package.json', 'not json', []],
])('finds what %s offers (%#)', async (file, text, commands) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  expect(await availableCommands(folder)).toEqual(commands);
});

it('finds nothing in an empty directory, or in one that is not there', async () => {
  expect(await availableCommands(folder)).toEqual([]);
  expect(await availableCommands('/no/such')).toEqual([]);
});
