import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * unit: no shell, no process; under a minute. shells: real ptys, real shells, the built `dist/`. vscode: a real VS Code.
 * A file's name says where it belongs: `x.test.ts`, `x.shell.test.ts`, `x.vscode.test.ts`.
 */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['**/*.shell.test.ts', '**/*.vscode.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'shells',
          include: ['test/**/*.shell.test.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'vscode',
          include: ['test/**/*.vscode.test.ts'],
          pool: 'forks',
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
