import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hostKey,
  hostsServing,
  publishRecord,
  readRecord,
  removeRecord,
  runtimeDirectory,
} from '../../src/rpc/directory';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gt-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const record = (socket: string, folders: string[] = []) => ({ pid: 1, version: '0', socket, token: 't', folders });

describe('the runtime directory', () => {
  it('is made private, or made so again', () => {
    const path = join(directory, 'run');
    expect(runtimeDirectory({ GLASS_TTY_DIR: path })).toBe(path);
    chmodSync(path, 0o755);
    runtimeDirectory({ GLASS_TTY_DIR: path });
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('refuses what is not a directory of one’s own', () => {
    expect(() => runtimeDirectory({ GLASS_TTY_DIR: '/dev/null' })).toThrow();
    if (process.getuid?.() !== 0) expect(() => runtimeDirectory({ GLASS_TTY_DIR: '/' })).toThrow();
  });
});

describe('host records', () => {
  it('belong to the first who publishes, and leave nothing else behind', () => {
    expect(publishRecord(directory, 'key', record('a'))).toBe(true);
    expect(publishRecord(directory, 'key', record('b'))).toBe(false);
    expect(readRecord(directory, 'key')?.socket).toBe('a');
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('are removed only by their own host', () => {
    publishRecord(directory, 'key', record('a'));
    removeRecord(directory, 'key', 'b');
    expect(readRecord(directory, 'key')).toBeDefined();
    removeRecord(directory, 'key', 'a');
    expect(readRecord(directory, 'key')).toBeUndefined();
  });

  it('are found by a folder inside theirs, the closest first', () => {
    publishRecord(directory, 'outer', record('a', ['/code']));
    publishRecord(directory, 'inner', record('b', ['/other', '/code/project']));
    publishRecord(directory, 'none', record('c'));
    expect(hostsServing(directory, '/code/project/src')).toEqual(['inner', 'outer']);
    expect(hostsServing(directory, '/code')).toEqual(['outer']);
    expect(hostsServing(directory, '/codes')).toEqual([]);
  });

  it('have a short key that tells workspaces apart', () => {
    expect(hostKey('file:///a')).toHaveLength(12);
    expect(hostKey('file:///a')).not.toBe(hostKey('file:///b'));
  });
});
