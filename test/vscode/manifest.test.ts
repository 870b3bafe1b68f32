import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index';
import { generateManifest } from '../../src/vscode/manifest';

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const { packageJson, nls } = generateManifest(read('package.json'));
const { contributes } = JSON.parse(packageJson);

test('package.json and package.nls.json are what the code makes them (`npm run build` writes them)', () => {
  expect(read('package.json')).toBe(packageJson);
  expect(read('package.nls.json')).toBe(nls);
});

test('every tool is a language-model tool under its own name, with a schema VS Code can show', () => {
  expect(contributes.languageModelTools.map((tool: { name: string }) => tool.name)).toEqual(
    tools.map(tool => `glassTty_${tool.name}`),
  );
  for (const tool of contributes.languageModelTools) {
    expect(tool).toMatchObject({ canBeReferencedInPrompt: true, inputSchema: { type: 'object' } });
    expect(tool.modelDescription.length).toBeGreaterThan(100);
  }
});

test('every text for people has its key in package.nls.json, and every key is used', () => {
  const used = [...packageJson.matchAll(/"%([\w.]+)%"/g)].map(found => found[1]);
  expect(new Set(used)).toEqual(new Set(Object.keys(JSON.parse(nls))));
});

test('generating again changes nothing', () => {
  expect(generateManifest(packageJson)).toEqual({ packageJson, nls });
});
