// For `npm run test:desktop`: a desktop VS Code that @vscode/test-electron downloads, where that is allowed. What the product does is tested in
// code-server (test/vscode); this says that it loads in the desktop's extension host, too.
import { defineConfig } from '@vscode/test-cli';

export default defineConfig({
  files: 'test/desktop/**/*.test.cjs',
  version: 'stable',
  launchArgs: ['--disable-workspace-trust'],
  mocha: { ui: 'tdd', timeout: 60_000 },
});
