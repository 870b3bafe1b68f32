import { randomUUID } from 'node:crypto';
import { openPty } from '../channel/ptyChannel';
import { findShell } from '../shell/findShell';
import { shellTraits, startShell } from '../shell/shells';
import { SESSION_VARIABLE, sessionEnvironment } from './environment';
import type { Owner } from './owner';
import { newSessionId, Session } from './session';

export interface ShellOptions {
  readonly owner: Owner;
  readonly number: number;
  /** Name or path; the user's default shell when undefined. */
  readonly shell: string | undefined;
  readonly cwd: string;
  /** Over the host's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

/** What a host gives to all its sessions. */
export interface SessionSetup {
  /** Absolute path of media/shell. */
  readonly scripts: string;
  readonly baseEnv: NodeJS.ProcessEnv;
  /** Bytes of output kept per session. */
  readonly logLimit: number;
}

/** Columns and rows of a terminal that no one has looked at yet. Wide, because tables and long lines are. */
export const DEFAULT_SIZE = { cols: 120, rows: 30 } as const;

/** Starts a shell, with our integration if there is one for it, as a session. Throws `shell_not_found`, `cwd_not_found` or `spawn_failed`. */
export function openShell(options: ShellOptions, setup: SessionSetup): Session {
  const { owner, number, cwd, cols, rows } = options;
  const id = newSessionId();
  const { env, exports } = sessionEnvironment(setup.baseEnv, options.env, id);
  const shell = findShell(options.shell, env);
  const nonce = randomUUID();
  const start = startShell(shell, { nonce, scripts: setup.scripts, exports, env });
  const channel = openPty({
    file: start.file,
    args: start.args,
    cwd,
    env: { ...env, ...start.env },
    cols,
    rows,
    marker: `${SESSION_VARIABLE}=${id}`,
  });
  const { integration } = start;
  const traits = shellTraits(start.kind);
  return new Session({ id, owner, number, shell, traits, integration, channel, nonce, cwd, cols, rows, ...setup });
}
