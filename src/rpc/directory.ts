import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { GlassError, systemErrorCode } from '../base/errors';
import { PROTOCOL } from './contract';

/** What a running host leaves for those who look for it. */
export interface HostRecord {
  readonly pid: number;
  readonly version: string;
  /** Path of a Unix socket or of a Windows named pipe. */
  readonly socket: string;
  readonly token: string;
  /** Absolute paths of the workspace folders it serves. */
  readonly folders: readonly string[];
}

const SUFFIX = `.${PROTOCOL}.json`;

/**
 * The user's folder for sockets, tokens and logs (mode 0700; files 0600). `GLASS_TTY_DIR` puts it elsewhere.
 * Short, because a Unix socket's path may have 103 bytes on macOS. Throws `unsafe_directory` when somebody else could write there.
 */
export function runtimeDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const path = env['GLASS_TTY_DIR'] ?? defaultDirectory(env);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return path;
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== userInfo().uid) {
    throw new GlassError(
      'unsafe_directory',
      `${path} is not a directory of yours. Remove it, or set GLASS_TTY_DIR to another place.`,
    );
  }
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return path;
}

function defaultDirectory(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? tmpdir(), 'glass-tty');
  if (env['XDG_RUNTIME_DIR']) return join(env['XDG_RUNTIME_DIR'], 'glass-tty');
  return join(tmpdir(), `glass-tty-${userInfo().uid}`);
}

/** Name under which the host of a workspace is found; `workspace` is whatever tells one workspace from another. */
export function hostKey(workspace: string): string {
  return createHash('sha256').update(workspace).digest('hex').slice(0, 12);
}

/** A path for a new host's socket. */
export function socketPath(directory: string): string {
  const name = randomUUID().slice(0, 8);
  return process.platform === 'win32' ? `\\\\.\\pipe\\glass-tty-${name}` : join(directory, `${name}.sock`);
}

/** Makes the record known unless the key is taken; the answer is whether it was free. The step is atomic: link fails where a file exists. */
export function publishRecord(directory: string, key: string, record: HostRecord): boolean {
  const temporary = join(directory, `${randomUUID()}.tmp`);
  writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 });
  try {
    linkSync(temporary, join(directory, key + SUFFIX));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The record under `key`; undefined when there is none. */
export function readRecord(directory: string, key: string): HostRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, key + SUFFIX), 'utf8')) as HostRecord;
  } catch (error) {
    // A record is written whole, so one that cannot be parsed is none of ours.
    if (systemErrorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Removes the record under `key` if it is that of the host with this socket, and the socket with it. */
export function removeRecord(directory: string, key: string, socket: string): void {
  if (readRecord(directory, key)?.socket === socket) rmSync(join(directory, key + SUFFIX), { force: true });
  if (process.platform !== 'win32') rmSync(socket, { force: true });
}

/** Keys of the hosts that serve a folder which `path` is in, the closest folder first. */
export function hostsServing(directory: string, path: string): string[] {
  const found: { key: string; depth: number }[] = [];
  for (const name of readdirSync(directory)) {
    if (!name.endsWith(SUFFIX)) continue;
    const key = name.slice(0, -SUFFIX.length);
    const folders = readRecord(directory, key)?.folders ?? [];
    const depths = folders.filter(folder => contains(folder, path)).map(folder => folder.length);
    if (depths.length > 0) found.push({ key, depth: Math.max(...depths) });
  }
  return found.sort((a, b) => b.depth - a.depth).map(one => one.key);
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
