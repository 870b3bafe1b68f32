/** The variable by which a session's processes are recognised: its value is the session's id. */
export const SESSION_VARIABLE = 'GLASS_TTY_SESSION';

/**
 * What keeps programs from waiting for a person who is not there: pagers print, editors fail at once (git then says to use -m).
 * A caller that wants a pager or an editor sets the variable in its `env`.
 */
const unattended: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  // Quit at the end of the file, keep colours, no alternate screen: for a less that is started by name.
  LESS: '-FRX',
  GIT_EDITOR: process.platform === 'win32' ? 'exit 1;' : 'false',
  EDITOR: 'false',
  VISUAL: 'false',
};

/** Of the process that runs Glass TTY, not of the user: an Electron that is told to be Node, a debugger, another terminal's identity. */
const foreign =
  /^(?:ELECTRON_|VSCODE_|GLASS_TTY_|NODE_OPTIONS$|NODE_CHANNEL_|npm_|INIT_CWD$|TERM_PROGRAM|TERM_SESSION_ID$|COLORTERM$|TMUX|STY$|WINDOW$|WINDOWID$|COLUMNS$|LINES$|TERMCAP$|WT_SESSION$)/;

/**
 * A server that no login shell started has no locale, and then editors and pagers take text for Latin-1. Only which bytes are a character is said: language
 * and sorting stay as they were.
 */
function characterType(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (process.platform === 'win32' || env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']) return {};
  return { LC_CTYPE: process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8' };
}

/** The environment of a new session: `base` is the host's, `requested` the caller's, which wins. */
export interface SessionEnvironment {
  readonly env: Record<string, string>;
  /** What must hold even where the user's start-up files say otherwise. */
  readonly exports: Record<string, string>;
}

export function sessionEnvironment(
  base: NodeJS.ProcessEnv,
  requested: Readonly<Record<string, string>>,
  sessionId: string,
): SessionEnvironment {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !foreign.test(name)) env[name] = value;
  }
  const exports = { ...unattended, ...requested };
  Object.assign(env, exports, characterType({ ...env, ...exports }), {
    TERM: requested['TERM'] ?? 'xterm-256color',
    COLORTERM: requested['COLORTERM'] ?? 'truecolor',
    TERM_PROGRAM: 'glass-tty',
    [SESSION_VARIABLE]: sessionId,
  });
  return { env, exports };
}
