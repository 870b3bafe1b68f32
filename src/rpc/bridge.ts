import type { Owner } from '../core/session/owner';
import type { ToolOutcome } from '../tools/invoke';
import type { InvokeOptions, ToolDescription, ToolService } from '../tools/service';
import type { Caller, Preparation, Toolset } from '../tools/tool';
import type { HostClient } from './client';
import { hostsServing } from './directory';
import { findHost } from './launch';

/** The host of a VS Code window that serves `folder`, the closest one first; undefined where there is none. */
export async function findWindowHost(directory: string, folder: string): Promise<HostClient | undefined> {
  for (const key of hostsServing(directory, folder)) {
    const host = await findHost(directory, key, 'bridge');
    if (host) return host;
  }
  return undefined;
}

/**
 * The tools in a window's host as long as there is one, else those of this process. Which it is, is decided at the first call and again
 * when the host has gone, with an error to the calls that were under way.
 */
export class BridgedToolService implements ToolService {
  private readonly find: () => Promise<HostClient | undefined>;
  private readonly local: ToolService;
  private current: Promise<ToolService> | undefined;

  constructor(find: () => Promise<HostClient | undefined>, local: ToolService) {
    this.find = find;
    this.local = local;
  }

  async list(sets: readonly Toolset[]): Promise<readonly ToolDescription[]> {
    return (await this.service()).list(sets);
  }

  async prepare(name: string, input: unknown, caller: Caller): Promise<Preparation> {
    return (await this.service()).prepare(name, input, caller);
  }

  async invoke(name: string, input: unknown, caller: Caller, options: InvokeOptions): Promise<ToolOutcome> {
    return (await this.service()).invoke(name, input, caller, options);
  }

  async release(owner: Owner): Promise<void> {
    await (await this.service()).release(owner);
  }

  private service(): Promise<ToolService> {
    this.current ??= this.find().then(host => {
      if (!host) return this.local;
      host.onClose(() => {
        this.current = undefined;
      });
      return host;
    });
    return this.current;
  }
}
