import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** The absolute path of a directory that a call names: relative to where the caller's terminals open, `~` for the home directory. */
export function directoryOf(path: string | undefined, base: string): string {
  if (path === undefined) return base;
  return resolve(base, path.replace(/^~(?=$|\/)/, homedir()));
}
