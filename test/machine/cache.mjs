// What a machine needs only once (a Node 24, a code-server) lives outside the checkout, in one folder per version.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export function cacheRoot(env = process.env, platform = process.platform) {
  if (env.GLASS_TTY_CACHE) return env.GLASS_TTY_CACHE;
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'glass-tty');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'glass-tty', 'Cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'glass-tty');
  return join(homedir(), '.cache', 'glass-tty');
}

export function isCached(name) {
  return existsSync(join(cacheRoot(), name));
}

/**
 * The folder `name` of the cache, filled by `fill(folder)` if it is not there yet. It is filled under another name and
 * renamed when complete: a folder under its own name is always a good one, however an earlier install ended.
 */
export async function cached(name, fill) {
  const folder = join(cacheRoot(), name);
  if (existsSync(folder)) return folder;
  mkdirSync(cacheRoot(), { recursive: true });
  removeAbandoned(name);
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial);
  try {
    await fill(partial);
    moveInto(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

function moveInto(partial, folder) {
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Another process may have finished the same install first; its folder is as good as ours.
    if (!existsSync(folder)) throw error;
  }
}

/** An install that was killed cannot tidy up after itself; a later one of the same name does. */
function removeAbandoned(name) {
  const prefix = `${name}.partial-`;
  for (const entry of readdirSync(cacheRoot())) {
    if (!entry.startsWith(prefix) || isAlive(Number(entry.slice(prefix.length)))) continue;
    rmSync(join(cacheRoot(), entry), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
