import { posix, win32 } from 'node:path';

/** The shells and REPLs we know how to start; `other` is any program in the place of one. */
export type ShellKind = 'bash' | 'zsh' | 'fish' | 'sh' | 'pwsh' | 'cmd' | 'python' | 'node' | 'other';

/** What the marks of a shell tell. full: all; prompt: prompts and exit codes, but not where output starts; none: nothing. */
export type Integration = 'full' | 'prompt' | 'none';

/** What is particular to a kind of shell. */
export interface ShellTraits {
  readonly kind: ShellKind;
  /** Executable names without path, version and `.exe`. */
  readonly names: readonly string[];
  readonly integration: Integration;
  /**
   * Goes before an agent's command line to keep it out of the person's history. Outside of a bracketed paste: fish strips the
   * blanks a paste starts with.
   */
  readonly historyPrefix: string;
  /** Whether its line editor takes bracketed paste if the terminal has seen it asked for: else a child was it that asked. */
  readonly pastes: boolean;
  /**
   * Whether a single line can be typed as it is, in a terminal of this width. A compound statement of Python's waits for an empty line after it, and
   * one that wraps has line feeds in its echo.
   */
  typesLine(line: string, cols: number): boolean;
  /**
   * Whether this version ("5.2.15") takes several lines in one paste as they are. fish 3 escapes quotes in them; bash before 5.2 puts all but the
   * first into the history.
   */
  pastesLines(version: string): boolean;
  /** One word of a command line that stands for `value`. */
  quote(value: string): string;
  /** A command line that runs a file in this very shell, or a submission to this REPL. */
  sourceFile(path: string): string;
  /** A command that puts a variable into the environment of what runs later. */
  exportVariable(name: string, value: string): string;
  /** A command that makes this text the prompt, as it is; undefined where we do not know how. */
  setPrompt?(text: string): string;
  /** A command after which `name` runs a command line. */
  setAlias?(name: string, commandLine: string): string;
}

/** How to start a shell: `env` is to be merged over the session's environment. */
export interface ShellStart {
  readonly kind: ShellKind;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly integration: Integration;
}

export interface ShellStartOptions {
  /** The secret of the session's marks. */
  readonly nonce: string;
  /** The absolute path of media/shell. */
  readonly scripts: string;
  /** Variables that have to hold in the session even if the user's own files set them. */
  readonly exports: Readonly<Record<string, string>>;
  /** The environment that the session is going to have. */
  readonly env: NodeJS.ProcessEnv;
  /** Further commands to run after the user's own files. */
  readonly commands?: readonly string[];
}

interface Launch {
  readonly args: readonly string[];
  /** Where it is another than the row's. */
  readonly integration?: Integration;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface ShellRow extends ShellTraits {
  launch(options: ShellStartOptions): Launch;
}

const quotePosix = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
const quoteFish = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;
const quotePwsh = (value: string): string => `'${value.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
const quoteCmd = (value: string): string => `"${value.replaceAll('"', '""')}"`;

const always = (): boolean => true;
const never = (): boolean => false;

const posixTraits = {
  pastes: true,
  pastesLines: never,
  typesLine: always,
  quote: quotePosix,
  sourceFile: (path: string) => `. ${quotePosix(path)}`,
  exportVariable: (name: string, value: string) => `export ${name}=${quotePosix(value)}`,
  setAlias: (name: string, commandLine: string) => `alias ${name}=${quotePosix(commandLine)}`,
};
const noLaunch = (): Launch => ({ args: [] });

const table: readonly ShellRow[] = [
  {
    ...posixTraits,
    kind: 'bash',
    pastesLines: version => isAtLeast(version, 5, 2),
    // Decoded twice: for backslash escapes, and then as in double quotes (promptvars).
    setPrompt: text =>
      `PS1=${quotePosix(text.replace(/[\\$`]/g, char => (char === '\\' ? '\\\\\\\\' : `\\\\${char}`)))}`,
    names: ['bash'],
    integration: 'full',
    historyPrefix: ' ',
    launch: ({ scripts }) => ({ args: ['--init-file', inside(scripts, 'bash.sh'), '-i'] }),
  },
  {
    ...posixTraits,
    kind: 'zsh',
    pastesLines: always,
    setPrompt: text => `unsetopt PROMPT_SUBST; PROMPT=${quotePosix(text.replaceAll('%', '%%'))} RPROMPT=`,
    names: ['zsh'],
    integration: 'full',
    historyPrefix: ' ',
    launch: ({ scripts, env }) => ({
      args: ['-i'],
      env: { ZDOTDIR: inside(scripts, 'zsh'), GLASS_TTY_ZDOTDIR: env['ZDOTDIR'] },
    }),
  },
  {
    kind: 'fish',
    pastes: true,
    pastesLines: never,
    typesLine: always,
    names: ['fish'],
    integration: 'full',
    historyPrefix: ' ',
    quote: quoteFish,
    setPrompt: text => `function fish_prompt; printf %s ${quoteFish(text)}; end; function fish_right_prompt; end`,
    setAlias: (name, commandLine) => `function ${name}; ${commandLine}; end`,
    sourceFile: path => `source ${quoteFish(path)}`,
    exportVariable: (name, value) => `set -gx ${name} ${quoteFish(value)}`,
    launch: ({ scripts }) => ({ args: ['-i', '--init-command', `source ${quoteFish(inside(scripts, 'fish.fish'))}`] }),
  },
  {
    ...posixTraits,
    kind: 'sh',
    pastes: false,
    setPrompt: text => `PS1=${quotePosix(text.replace(/[\\$`]/g, '\\$&'))}`,
    names: ['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'oksh', 'busybox'],
    integration: 'prompt',
    historyPrefix: '',
    launch: ({ scripts, env }) => ({
      args: ['-i'],
      env: { ENV: inside(scripts, 'sh.sh'), GLASS_TTY_ENV: env['ENV'] },
    }),
  },
  {
    kind: 'pwsh',
    pastes: true,
    pastesLines: never,
    typesLine: always,
    names: ['pwsh', 'powershell', 'pwsh-preview'],
    integration: 'full',
    historyPrefix: ' ',
    quote: quotePwsh,
    setPrompt: text => `function prompt { ${quotePwsh(text)} }`,
    sourceFile: path => `. ${quotePwsh(path)}`,
    exportVariable: (name, value) => `$env:${name} = ${quotePwsh(value)}`,
    // Read as text, for an execution policy may forbid script files.
    launch: ({ scripts }) => ({
      args: [
        '-NoLogo',
        '-NoExit',
        '-Command',
        `. ([scriptblock]::Create([IO.File]::ReadAllText(${quotePwsh(inside(scripts, 'pwsh.ps1'))})))`,
      ],
    }),
  },
  {
    kind: 'cmd',
    pastes: false,
    pastesLines: never,
    typesLine: always,
    names: ['cmd'],
    integration: 'none',
    historyPrefix: '',
    quote: quoteCmd,
    sourceFile: path => `call ${quoteCmd(path)}`,
    exportVariable: (name, value) => `set "${name}=${value}"`,
    launch: noLaunch,
  },
  {
    kind: 'python',
    pastes: false,
    pastesLines: never,
    typesLine: (line, cols) =>
      line.length <= cols - 20 && !/^(?:async|class|def|for|if|match|try|while|with)\b|^@|\\$/.test(line),
    names: ['python'],
    integration: 'prompt',
    historyPrefix: '',
    quote: JSON.stringify,
    setPrompt: text => `sys.ps1 = ${JSON.stringify(text)}`,
    sourceFile: path => `glass_tty(${JSON.stringify(path)})`,
    exportVariable: (name, value) => `os.environ[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    launch: launchPython,
  },
  {
    kind: 'node',
    pastes: false,
    pastesLines: never,
    typesLine: always,
    names: ['node', 'nodejs'],
    integration: 'full',
    historyPrefix: '',
    quote: JSON.stringify,
    setPrompt: text => `options.prompt = ${JSON.stringify(text)};`,
    sourceFile: path => `.glass_tty ${path}`,
    exportVariable: (name, value) => `process.env[${JSON.stringify(name)}] = ${JSON.stringify(value)};`,
    launch: ({ scripts, env }) => ({
      args: ['--require', inside(scripts, 'node.cjs')],
      env: { NODE_REPL_HISTORY: '', GLASS_TTY_NODE_REPL_HISTORY: env['NODE_REPL_HISTORY'] },
    }),
  },
];

/**
 * From 3.13 on Python's own line editor would ask for the prompt with each key. Without readline, on Windows, nothing keeps a console
 * from showing the marks.
 */
function launchPython({ scripts, env }: ShellStartOptions): Launch {
  if (process.platform === 'win32') return { args: [], integration: 'none' };
  return {
    args: [],
    env: {
      PYTHONSTARTUP: inside(scripts, 'python.py'),
      GLASS_TTY_PYTHONSTARTUP: env['PYTHONSTARTUP'],
      PYTHON_BASIC_REPL: '1',
      GLASS_TTY_PYTHON_BASIC_REPL: env['PYTHON_BASIC_REPL'],
    },
  };
}

const otherShell: ShellRow = {
  ...posixTraits,
  kind: 'other',
  names: [],
  integration: 'none',
  historyPrefix: '',
  launch: noLaunch,
};

/** The names of all shells in the table, in the order in which they are worth trying. */
export const shellNames: readonly string[] = table.flatMap(row => row.names);

/** The kind of a shell by its executable's name: `/bin/zsh`, `-bash` (a login shell), `bash-5.2`, `pwsh.exe`. */
export function shellKind(file: string): ShellKind {
  const name = win32
    .basename(file)
    .toLowerCase()
    .replace(/^-|\.exe$/g, '');
  const bare = name.replace(/-?\d+(\.\d+)*$/, '');
  return table.find(row => row.names.includes(name) || row.names.includes(bare))?.kind ?? 'other';
}

export function shellTraits(kind: ShellKind): ShellTraits {
  return rowOf(kind);
}

/** How to start `file` with our integration, if there is one for it; the user's own files, history and prompt stay. */
export function startShell(file: string, options: ShellStartOptions): ShellStart {
  const row = rowOf(shellKind(file));
  const { kind } = row;
  const { args, env = {}, integration = row.integration } = row.launch(options);
  // Without a script nothing can be set after the user's files, but at least before.
  if (integration === 'none') return { kind, file, args, env: options.exports, integration };
  const exports = Object.entries(options.exports).map(([name, value]) => row.exportVariable(checkName(name), value));
  const code = [...exports, ...(options.commands ?? [])].join('\n');
  return {
    kind,
    file,
    args: isBusybox(file) ? ['sh', ...args] : args,
    env: { ...defined(env), GLASS_TTY_NONCE: options.nonce, GLASS_TTY_EXPORTS: code },
    integration,
  };
}

/**
 * A command line without blank and comment lines at its start. bash keeps a paste out of the history by the first line that it
 * takes for a command, so that has to be the one behind `historyPrefix`.
 */
export function trimLeadingComments(commandLine: string): string {
  return commandLine.replace(/^(?:[ \t]*(?:#[^\n]*)?\r?\n)+(?=[\s\S]*\S)/, '');
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}

function rowOf(kind: ShellKind): ShellRow {
  return table.find(row => row.kind === kind) ?? otherShell;
}

/** Forward slashes on Windows too: its bash takes them, and no shell takes them for quoting. */
function inside(scripts: string, name: string): string {
  return posix.join(scripts.replaceAll('\\', '/'), name);
}

function isBusybox(file: string): boolean {
  return /^busybox(\.exe)?$/i.test(win32.basename(file));
}

/** A name goes into shell code as it is. */
function checkName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new TypeError(`${JSON.stringify(name)} cannot be exported.`);
  return name;
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
