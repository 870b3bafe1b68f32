import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { HostClient } from '../../src/rpc/client';
import { hostKey } from '../../src/rpc/directory';
import { findHost, findOrStartHost, type HostArguments } from '../../src/rpc/launch';

/** A runtime directory and a workspace folder of a test's own, with hosts that are ended with it. */
export class HostBench {
  readonly directory = mkdtempSync(join(tmpdir(), 'gt-'));
  readonly folder = mkdtempSync(join(tmpdir(), 'glass-tty-folder-'));
  private readonly clients: HostClient[] = [];

  options(graceMs: number): HostArguments {
    return { directory: this.directory, key: hostKey(this.folder), folders: [this.folder], graceMs };
  }

  async start(graceMs = 500): Promise<HostClient> {
    const client = await findOrStartHost(resolve('dist/host.js'), this.options(graceMs));
    this.clients.push(client);
    return client;
  }

  async find(): Promise<HostClient | undefined> {
    const client = await findHost(this.directory, hostKey(this.folder), 'window');
    if (client) this.clients.push(client);
    return client;
  }

  dispose(): void {
    for (const client of this.clients) client.dispose();
    rmSync(this.directory, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Resolves when a process is gone. */
export async function processEnd(pid: number, deadlineMs: number): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  while (performance.now() < deadline) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // Nobody tells of the end of a process that is not one's own child.
    await new Promise(done => setTimeout(done, 20));
  }
  return false;
}
