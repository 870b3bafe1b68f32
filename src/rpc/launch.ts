import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { GlassError, messageOf } from '../base/errors';
import { connectHost, type HostClient } from './client';
import type { HelloParams } from './contract';
import { type HostRecord, readRecord, removeRecord } from './directory';

/** What a host is told when it is started, as JSON in its first argument. */
export interface HostArguments {
  readonly directory: string;
  readonly key: string;
  readonly folders: readonly string[];
  /** Time without any window or client after which the host ends, in ms. */
  readonly graceMs: number;
}

/** Longest wait for a host to come up, in ms. */
const START_MS = 15_000;

/** The host under `key` if one is running; never starts one. */
export async function findHost(
  directory: string,
  key: string,
  client: HelloParams['client'],
): Promise<HostClient | undefined> {
  const record = readRecord(directory, key);
  if (!record) return undefined;
  try {
    return await connectHost(record, client);
  } catch {
    // Its process has ended without removing the record: a crash, or a reboot.
    removeRecord(directory, key, record.socket);
    return undefined;
  }
}

/** The host under the arguments' key: the running one, else a new one. Throws `host_failed`. */
export async function findOrStartHost(script: string, options: HostArguments): Promise<HostClient> {
  const running = await findHost(options.directory, options.key, 'window');
  if (running) return running;
  const record = await startHost(script, options);
  return connectHost(record, 'window');
}

/** Starts dist/host.js on its own, so that it outlives this process, and waits for the one line in which it says where it is. */
function startHost(script: string, options: HostArguments): Promise<HostRecord> {
  const log = openSync(join(options.directory, 'host.log'), 'a', 0o600);
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    // Home, so that the host keeps no folder from being unmounted or removed.
    cwd: homedir(),
    detached: true,
    windowsHide: true,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', log],
  });
  return new Promise<HostRecord>((resolve, reject) => {
    let text = '';
    const fail = (why: string) =>
      reject(
        new GlassError(
          'host_failed',
          `The terminal host did not start: ${why}. Its log is ${options.directory}/host.log.`,
        ),
      );
    const timer = setTimeout(() => fail(`it said nothing for ${START_MS / 1000} s`), START_MS);
    child.once('error', error => fail(messageOf(error)));
    child.once('exit', code => fail(`it exited with code ${code}`));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(JSON.parse(text) as HostRecord);
      child.removeAllListeners();
      child.stdout?.destroy();
      child.unref();
    });
  });
}
