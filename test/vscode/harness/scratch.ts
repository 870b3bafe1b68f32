import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that one VS Code under test writes. Its path is short, as sockets are made below it. */
export class Scratch {
  readonly path = mkdtempSync(join(tmpdir(), 'gtty-'));
  readonly userData = this.folder('user-data');
  readonly extensions = this.folder('extensions');
  readonly profile = this.folder('browser');
  readonly home = this.folder('home');
  readonly workspace = this.folder('workspace');
  /** What the harness extension reads and writes. */
  readonly harness = this.folder('harness');

  private folder(name: string): string {
    const path = join(this.path, name);
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    return path;
  }

  remove(): void {
    // What the last processes of VS Code still write as they end can make a folder non-empty again: hence the retries.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
