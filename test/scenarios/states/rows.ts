import type { Step } from './follow';

/** A program in the table. */
export interface Row extends Step {
  readonly name: string;
  /** Run by EXEC. */
  readonly command: string;
  /** bash, unless it is another. */
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What comes after. */
  readonly next?: readonly Step[];
  /** Pressed in the end, where ending the terminal is not enough. */
  readonly leave?: string;
}

const draws = ['fullscreen'];
const pages = ['pager'];

/** Programs that read a line, or a key. */
const reads: readonly Row[] = [
  { name: 'cat', command: 'echo ready; cat', shows: /^ready$/m, state: 'input', process: 'cat' },
  { name: 'cat, later', command: 'sleep 0.4; echo ready; cat', shows: /^ready$/m, state: 'input', process: 'cat' },
  { name: 'cat | sort', command: 'echo ready; cat | sort', shows: /^ready$/m, state: 'input' },
  { name: 'tee', command: 'echo ready; tee /dev/null', shows: /^ready$/m, state: 'input', process: 'tee' },
  { name: 'dd', command: 'echo ready; dd of=/dev/null', shows: /^ready$/m, state: 'input', process: 'dd' },
  { name: 'read', command: 'echo ready; read x', shows: /^ready$/m, state: 'input', process: 'bash' },
  { name: 'read -p', command: "sleep 0.3; read -p 'name? ' x", shows: /^name\?/m, state: 'input', process: 'bash' },
  { name: 'read -e', command: "sleep 0.3; read -e -p 'name? ' x", shows: /^name\?/m, state: 'input', process: 'bash' },
  { name: 'read -n1', command: "read -n1 -p 'go on? ' x", shows: /^go on\?/m, state: 'input' },
  { name: 'read -rsn1', command: "read -rsn1 -p 'Press any key ' x", shows: /^Press any/m, state: 'input' },
  { name: 'read -t 60', command: 'echo ready; read -t 60 x', shows: /^ready$/m, state: 'input' },
  { name: 'read -t 60 -n1', command: 'echo ready; read -t 60 -n1 x', shows: /^ready$/m, state: 'input' },
  { name: 'select', command: 'select x in one two; do echo $x; done', shows: /^#\?/m, state: 'input' },
  { name: 'rm -i', command: 'touch old; command rm -i old', shows: /^rm: remove/m, state: 'input', process: 'rm' },
  { name: 'sh -c read', command: `sh -c 'printf "Continue? [Y/n] "; read x'`, shows: /^Continue\?/m, state: 'input' },
  {
    name: 'python3 input()',
    command: `python3 -c 'import time; time.sleep(.3); input("name: ")'`,
    shows: /^name:/m,
    state: 'input',
    process: 'python3',
  },
  {
    name: 'python3 sys.stdin',
    command: `python3 -c 'import sys; print("ready", flush=True); sys.stdin.read()'`,
    shows: /^ready$/m,
    state: 'input',
  },
  {
    name: 'node readline.question, terminal',
    command: 'node question.js true',
    shows: /^name\?/m,
    state: 'input',
    process: 'node',
  },
  { name: 'node readline.question, no terminal', command: 'node question.js false', shows: /^name\?/m, state: 'input' },
  { name: 'a list to choose from (raw mode, no cursor)', command: 'node choose.js', shows: /^❯ one/m, state: 'input' },
  {
    name: 'npm init',
    command: 'mkdir -p package && cd package && npm init',
    shows: /^package name:/m,
    state: 'input',
    process: 'npm init',
    next: [
      { answer: 'a', shows: /^version:/m, state: 'input' },
      { answer: '', shows: /^description:/m, state: 'input' },
    ],
  },
  {
    name: 'git add -p',
    command: 'cd repository && echo more >> file && git add -p',
    shows: /^\(1\/1\) Stage this hunk/m,
    state: 'input',
  },
];

const repls: readonly Row[] = [
  { name: 'python3', command: 'python3', shows: /^>>>/m, state: 'input', process: 'python3' },
  { name: 'node', command: 'node', shows: /^> *$/m, state: 'input', process: 'node' },
  { name: 'sqlite3', command: 'sqlite3', shows: /^sqlite>/m, state: 'input', process: 'sqlite3' },
  { name: 'python3 -m pdb', command: 'python3 -m pdb ask.py', shows: /^\(Pdb\)/m, state: 'input' },
  { name: 'bash in bash', command: "PS1='inner: ' bash --norc", shows: /^inner:/m, state: 'input', process: 'bash' },
  { name: 'zsh in bash', command: "PS1='inner: ' zsh -f", shows: /^inner:/m, state: 'input', process: 'zsh' },
  { name: 'fish in bash', command: 'fish', shows: /[>#] *$/, state: 'input', process: 'fish' },
  { name: 'dash in bash', command: "PS1='inner: ' dash -i", shows: /^inner:/m, state: 'input', process: 'dash' },
  {
    name: 'script -q',
    command: "script -qc 'bash --norc' /dev/null",
    shows: /^bash-[\d.]+[#$]/m,
    state: 'input',
  },
];

const secrets: readonly Row[] = [
  { name: 'read -s', command: "sleep 0.3; read -s -p 'hush: ' x", shows: /^hush:/m, state: 'secret', process: 'bash' },
  { name: 'read -s, silent', command: 'echo ready; read -s x', shows: /^ready$/m, state: 'secret' },
  { name: 'stty -echo', command: `sh -c 'stty -echo; echo ready; read x'`, shows: /^ready$/m, state: 'secret' },
  {
    name: 'python3 getpass',
    command: `python3 -c 'import getpass; getpass.getpass()'`,
    shows: /^Password:/m,
    state: 'secret',
    process: 'python3',
  },
  {
    name: 'ssh-keygen -y',
    command: 'ssh-keygen -y -f key',
    shows: /^Enter passphrase/m,
    state: 'secret',
    process: 'ssh-keygen',
  },
];

const pagers: readonly Row[] = [
  { name: 'less', command: 'LESS= less lines', shows: /^lines/m, state: 'pager', process: 'less', onTheWay: pages },
  { name: 'less -FRX', command: 'less lines', shows: /^lines/m, state: 'pager', process: 'less', onTheWay: pages },
  { name: 'seq | less', command: 'seq 1000 | less', shows: /^:/m, state: 'pager', onTheWay: pages },
  {
    name: 'git log',
    command: 'cd repository && GIT_PAGER=less git log',
    shows: /^:/m,
    state: 'pager',
    process: 'less',
    onTheWay: pages,
  },
  { name: 'more', command: 'more lines', shows: /^--More--/m, state: 'pager', process: 'more', onTheWay: pages },
];

const screens: readonly Row[] = [
  { name: 'vim', command: 'vim lines', shows: /^"lines"/m, state: 'fullscreen', process: 'vim', onTheWay: draws },
  {
    name: 'nano',
    command: 'nano page.1',
    shows: /\^G (Get )?Help/,
    state: 'fullscreen',
    process: 'nano',
    onTheWay: draws,
  },
  { name: 'top', command: 'top', shows: /^ *PID /m, state: 'fullscreen', process: 'top', onTheWay: draws },
  {
    name: 'watch',
    command: 'watch -n 0.3 date',
    shows: /^Every 0.3s/m,
    state: 'fullscreen',
    process: 'watch',
    onTheWay: draws,
  },
];

const works: readonly Row[] = [
  { name: 'sleep', command: 'echo ready; sleep 100', shows: /^ready$/m, state: 'running', process: 'sleep' },
  {
    name: 'a stopped job',
    command: 'echo ready; sleep 100',
    shows: /^ready$/m,
    state: 'running',
    next: [{ keys: 'ctrl+z', shows: /Stopped/, state: 'prompt' }],
  },
  { name: 'a background job', command: 'sleep 100 & echo ready; wait', shows: /^ready$/m, state: 'running' },
  { name: 'half a line', command: `printf '50%%'; sleep 100`, shows: /^50%/m, state: 'running' },
  {
    name: 'half a line with a colon',
    command: `printf 'Compiling: '; sleep 100`,
    shows: /^Compiling:/m,
    state: 'running',
  },
  { name: 'a spinner', command: 'node spinner.js', shows: /[|/\\-] working/, state: 'running', watchMs: 1000 },
  {
    name: 'a spinner that takes the keys (ora)',
    command: 'node spinner.js raw',
    shows: /[|/\\-] working/,
    state: 'running',
    watchMs: 1000,
  },
  { name: 'tail -f', command: 'tail -f lines', shows: /^1000$/m, state: 'running', process: 'tail' },
  {
    name: 'python3 -m http.server',
    command: 'python3 -u -m http.server 0 --bind 127.0.0.1',
    shows: /^Serving/m,
    state: 'running',
    process: 'python3',
  },
  {
    name: 'a dev server that reads keys',
    command: 'node server.js',
    shows: /^ready$/m,
    state: 'running',
    process: 'node',
  },
];

const busy: readonly Row[] = [
  {
    name: 'a build at full CPU',
    command: `sh -c 'echo ready; while :; do :; done'`,
    shows: /^ready$/m,
    state: 'running',
    process: 'sh',
  },
];

const unfinished: readonly Row[] = [
  { name: 'bash: a heredoc', command: 'cat <<END\nready', shows: /^> *$/m, state: 'continuation' },
  { name: 'bash: a quote', command: "echo 'ready", shows: /^> *$/m, state: 'continuation' },
  { name: 'zsh: a heredoc', shell: 'zsh', command: 'cat <<END\nready', shows: /^heredoc>/m, state: 'continuation' },
  { name: 'zsh: a quote', shell: 'zsh', command: "echo 'ready", shows: /^quote>/m, state: 'continuation' },
  { name: 'fish: a quote', shell: 'fish', command: "echo 'ready", shows: /echo 'ready/m, state: 'continuation' },
  { name: 'sh: a quote', shell: 'dash', command: "echo 'ready", shows: /^> *$/m, state: 'continuation' },
  { name: 'python: a bracket', shell: 'python', command: 'y = (40 +', shows: /^\.\.\. *$/m, state: 'continuation' },
  {
    name: 'node: a bracket',
    shell: 'node',
    command: 'const y = (40 +',
    shows: /^(\.\.\.|\|) *$/m,
    state: 'continuation',
  },
  { name: 'python: at the prompt', shell: 'python', command: '6 * 7', shows: /^42$/m, state: 'prompt' },
  { name: 'node: at the prompt', shell: 'node', command: '6 * 7', shows: /^42$/m, state: 'prompt' },
  { name: 'python: input()', shell: 'python', command: 'x = input("name? ")', shows: /^name\?/m, state: 'input' },
  { name: 'zsh: read', shell: 'zsh', command: "read 'x?name? '", shows: /^name\?/m, state: 'input' },
  { name: 'zsh: vared', shell: 'zsh', command: 'x=; vared -p "name? " x', shows: /^name\?/m, state: 'input' },
  { name: 'fish: read', shell: 'fish', command: 'read -P "name? " x', shows: /^name\?/m, state: 'input' },
  { name: 'fish: read -s', shell: 'fish', command: 'read -s -P "Password: " x', shows: /^Password:/m, state: 'secret' },
  { name: 'sh: read', shell: 'dash', command: 'printf "name? "; read x', shows: /^name\?/m, state: 'input' },
];

const changes: readonly Row[] = [
  {
    name: 'one thing after another',
    command: 'bash turns.sh',
    shows: /^first$/m,
    state: 'running',
    watchMs: 100,
    next: [
      { shows: /^name:/m, state: 'input' },
      { answer: 'Ada', shows: /^second$/m, state: 'running', watchMs: 100 },
      { shows: /^hush:/m, state: 'secret' },
      // Nobody but a person may answer that.
      { shows: /^lines/m, state: 'pager', onTheWay: pages },
      { answer: 'q', shows: /done$/m, state: 'prompt' },
    ],
  },
];

/** Rows that keep a processor busy come last, and by themselves. */
export const rows: readonly Row[] = [
  ...reads,
  ...repls,
  ...secrets,
  ...pagers,
  ...screens,
  ...works,
  ...unfinished,
  ...changes,
];

export { busy };
