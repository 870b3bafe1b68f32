import { afterAll, afterEach, beforeAll } from 'vitest';
import { VSCode, type VSCodeOptions } from './vscode';

/** One VS Code for all tests of a file, closed after them; a test that fails leaves a picture of its window. */
export function useVSCode(options: () => VSCodeOptions | Promise<VSCodeOptions>): () => VSCode {
  let vscode: VSCode | undefined;
  beforeAll(async () => {
    vscode = await VSCode.open(await options());
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await vscode?.screenshot(`failed ${task.name}`);
  });
  afterAll(async () => {
    await vscode?.close();
  });
  return () => {
    if (!vscode) throw new Error('VS Code is open only while tests run.');
    return vscode;
  };
}
