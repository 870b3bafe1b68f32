import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A home directory of a test's own, so that no start-up file of this machine's user has a say. */
export interface Home {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** `files` are start-up files by their path below the home directory. */
export function makeHome(files: Readonly<Record<string, string>> = {}): Home {
  const path = mkdtempSync(join(tmpdir(), 'glass-tty-home-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  const env = {
    HOME: path,
    ZDOTDIR: path,
    XDG_CONFIG_HOME: join(path, '.config'),
    XDG_DATA_HOME: join(path, '.local'),
  };
  return { path, env, remove: () => rmSync(path, { recursive: true, force: true }) };
}
