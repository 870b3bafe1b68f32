import { execFile } from 'node:child_process';
import type { TtyModes } from './look';

/** Longest wait (ms) for stty. */
const TIMEOUT_MS = 1000;

/** The modes of a terminal by its path. Node has no tcgetattr, so stty is asked; undefined if it may not open the terminal. */
export function ttyModes(path: string): Promise<TtyModes | undefined> {
  const flag = process.platform === 'linux' ? '-F' : '-f';
  return new Promise(resolve => {
    execFile('stty', [flag, path, '-a'], { timeout: TIMEOUT_MS }, (error, stdout) => {
      const words = new Set(stdout.split(/[\s;]+/));
      resolve(error ? undefined : { isCanonical: words.has('icanon'), hasEcho: words.has('echo') });
    });
  });
}
