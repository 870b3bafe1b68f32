import { randomUUID } from 'node:crypto';
import { openPty } from '../channel/ptyChannel';
import { findShell } from '../shell/findShell';
import { type ShellTraits, shellKind, shellTraits, startShell } from '../shell/shells';
import { SESSION_VARIABLE, sessionEnvironment } from './environment';
import type { SharingRules } from './keyboard';
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
  /** Over the host's environment, too, but as if the host had been started with it: the user's start-up files come after it. */
  readonly inherited?: Readonly<Record<string, string>>;
  /** Printed before anything of the shell's: see preface.ts. */
  readonly preface?: string;
  readonly cols: number;
  readonly rows: number;
  /** The prompt, as it is, in place of the user's. Only for shells whose traits have `setPrompt`. */
  readonly prompt?: string;
  /** What `help` prints, in place of what it does else. Only for shells whose traits have `setAlias`. */
  readonly help?: readonly string[];
}

/** What a host gives to all its sessions. */
export interface SessionSetup {
  /** Absolute path of media/shell. */
  readonly scripts: string;
  /** Absolute path of the font that pictures are drawn with. */
  readonly font: string;
  readonly baseEnv: NodeJS.ProcessEnv;
  /** Bytes of output kept per session. */
  readonly logLimit: number;
  /** Whether the kernel may be asked what runs in a session, or only the text on its screen. */
  readonly asksKernel: boolean;
  readonly rules: SharingRules;
}

/** Columns and rows of a terminal that no one has looked at yet. Wide, because tables and long lines are. */
export const DEFAULT_SIZE = { cols: 120, rows: 30 } as const;

/** Starts a shell, with our integration if there is one for it, as a session. Throws `shell_not_found`, `cwd_not_found` or `spawn_failed`. */
export function openShell(options: ShellOptions, setup: SessionSetup): Session {
  const { owner, number, cwd, cols, rows } = options;
  const id = newSessionId();
  const { env, exports } = sessionEnvironment({ ...setup.baseEnv, ...options.inherited }, options.env, id);
  const shell = findShell(options.shell, env);
  const nonce = randomUUID();
  const traits = shellTraits(shellKind(shell));
  const commands = customCommands(options, traits);
  const start = startShell(shell, { nonce, scripts: setup.scripts, exports, env, commands });
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
  return new Session({
    id,
    kind: 'terminal',
    owner,
    number,
    shell,
    traits,
    integration,
    channel,
    nonce,
    cwd,
    cols,
    rows,
    ...(options.preface && { preface: options.preface }),
    ...setup,
  });
}

function customCommands({ prompt, help }: ShellOptions, traits: ShellTraits): string[] {
  const commands: (string | undefined)[] = [];
  if (prompt !== undefined) commands.push(traits.setPrompt?.(prompt));
  if (help)
    commands.push(traits.setAlias?.('help', `printf '%s\\n' ${help.map(line => traits.quote(line)).join(' ')}`));
  return commands.filter(command => command !== undefined);
}
