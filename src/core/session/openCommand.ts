import { randomUUID } from 'node:crypto';
import { openPty } from '../channel/ptyChannel';
import { shellCommand } from '../shell/shellCommand';
import { shellKind, shellTraits } from '../shell/shells';
import { SESSION_VARIABLE, sessionEnvironment } from './environment';
import type { SessionSetup } from './openShell';
import type { Owner } from './owner';
import { newSessionId, Session } from './session';

export interface CommandOptions {
  readonly owner: Owner;
  /** Absolute path. */
  readonly shell: string;
  readonly command: string;
  /** Id of the interminal session it runs in. */
  readonly profile: string;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
}

/** Runs one command line in a pty of its own, as a session that has no number and ends with the command. Throws as `openShell` does. */
export function openCommand(options: CommandOptions, setup: SessionSetup): Session {
  const { owner, shell, command, cwd, cols, rows } = options;
  const id = newSessionId();
  const { env } = sessionEnvironment(setup.baseEnv, {}, id);
  const { file, args } = shellCommand(shell, command);
  const channel = openPty({ file, args, cwd, env, cols, rows, marker: `${SESSION_VARIABLE}=${id}` });
  const session = new Session({
    id,
    kind: 'command',
    owner,
    number: undefined,
    profile: options.profile,
    shell,
    traits: shellTraits(shellKind(shell)),
    // Its end is the process's own: nothing has to be marked.
    integration: 'full',
    channel,
    nonce: randomUUID(),
    cwd,
    cols,
    rows,
    logLimit: setup.logLimit,
    asksKernel: setup.asksKernel,
    rules: setup.rules,
  });
  session.tracker.submitted(command, 0);
  return session;
}
