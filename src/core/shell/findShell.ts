import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import { GlassError } from '../../base/errors';
import { shellNames } from './shells';

/** What an account gets that nobody is meant to log in with. */
const notAShell = new Set(['nologin', 'false', 'true']);

/**
 * The absolute path of a shell: of `name`, a path or a name on the PATH, or of the user's default shell.
 * Throws `shell_not_found`, naming what was asked for and which shells there are.
 */
export function findShell(
  name: string | undefined,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const wanted = name === undefined ? defaults(env, platform) : [name];
  for (const candidate of wanted) {
    const file = locate(candidate, env, platform);
    if (file !== undefined) return file;
  }
  const found = [...new Set(shellNames.flatMap(each => locate(each, env, platform) ?? []))];
  const asked = name === undefined ? 'No shell was found' : `No shell ${JSON.stringify(name)} was found`;
  const instead = found.length > 0 ? `Shells here: ${found.join(', ')}.` : 'Give the absolute path of one.';
  throw new GlassError('shell_not_found', `${asked}. ${instead}`, { asked: name, found });
}

function defaults(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const own = platform === 'win32' ? [] : [env['SHELL'], loginShell()];
  const usual = platform === 'win32' ? ['pwsh', 'powershell', env['ComSpec'], 'cmd'] : ['bash', 'sh'];
  return [...own, ...usual].flatMap(name => (name && !notAShell.has(posix.basename(name)) ? [name] : []));
}

function loginShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined; // a user id without an entry, as containers have
  }
}

function locate(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const files = path.isAbsolute(name)
    ? [name]
    : path.basename(name) === name
      ? pathFolders(env, path.delimiter).map(folder => path.join(folder, name))
      : [];
  return files.flatMap(file => withExtensions(file, env, platform)).find(isExecutable);
}

/** Folders that are not absolute depend on where one stands, and are no place to find a shell. */
function pathFolders(env: NodeJS.ProcessEnv, delimiter: string): string[] {
  const value = env['PATH'] ?? env['Path'] ?? '';
  return value.split(delimiter).filter(folder => posix.isAbsolute(folder) || win32.isAbsolute(folder));
}

function withExtensions(file: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32' || win32.extname(file) !== '') return [file];
  return (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';').map(extension => file + extension.toLowerCase());
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
