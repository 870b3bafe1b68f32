/** Of VS Code's terminal, not of the person: the new terminal has its own of these, or none. */
const own = /^(?:VSCODE_|TERM_PROGRAM|ELECTRON_|GLASS_TTY_|SHLVL$|PWD$|OLDPWD$|_$|USER_ZDOTDIR$)/;

type Variables = Readonly<Record<string, string>>;

/** The variables of a shell's environment that a copy of its terminal should have. */
export function sharedVariables(env: Variables): Record<string, string> {
  const shared = Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
  // VS Code leads zsh to start-up files of its own, and notes here where the person's are.
  const { USER_ZDOTDIR, VSCODE_GIT_ASKPASS_NODE } = env;
  if (USER_ZDOTDIR !== undefined) shared['ZDOTDIR'] = USER_ZDOTDIR;
  // Its script for git's questions works only with the variables that are left out.
  if (VSCODE_GIT_ASKPASS_NODE !== undefined) {
    delete shared['GIT_ASKPASS'];
    delete shared['SSH_ASKPASS'];
  }
  return shared;
}

/** The content of /proc/PID/environ, which is what the process was started with. */
export function parseEnviron(content: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const entry of content.split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1);
  }
  return env;
}
