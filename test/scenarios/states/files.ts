import { execFileSync } from 'node:child_process';
import { type Home, makeHome } from '../../helpers/home';

const files = {
  lines: Array.from({ length: 1000 }, (_, index) => `${index + 1}\n`).join(''),
  'ask.py': 'print(input())\n',
  'page.1': `.TH PAGE 1\n.SH NAME\npage \\- for a pager\n${'.PP\nA paragraph.\n'.repeat(60)}`,
  'question.js': `const terminal = process.argv[2] === 'true';
const { createInterface } = require('node:readline');
setTimeout(() => createInterface({ input: process.stdin, output: process.stdout, terminal }).question('name? ', () => process.exit()), 300);
`,
  // As enquirer and inquirer ask.
  'choose.js': `require('node:readline').emitKeypressEvents(process.stdin);
process.stdin.setRawMode(true);
process.stdin.on('keypress', () => process.exit());
process.stdout.write('Which one?\\n❯ one\\n  two\\n\\x1b[?25l');
`,
  // As ora shows that something is under way: with "raw" it swallows the keys meanwhile.
  'spinner.js': `if (process.argv[2] === 'raw') {
  process.stdin.setRawMode(true);
  process.stdin.on('data', () => {});
}
process.stdout.write('\\x1b[?25l');
let turn = 0;
setInterval(() => process.stdout.write('\\r\\x1b[K' + '|/-\\\\'[turn++ % 4] + ' working'), 80);
`,
  // As Vite does, for its "press h + enter to show help".
  'server.js': `require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('ready'));
require('node:readline').createInterface({ input: process.stdin }).on('line', () => {});
`,
  'turns.sh': `echo first; sleep 0.5
printf 'name: '; read name
echo second; sleep 0.5
stty -echo; printf 'hush: '; read -t 2 secret; stty echo
LESS= less lines
echo done
`,
};

/** A home with what the programs of the table work on. */
export function prepare(): Home {
  const home = makeHome(files);
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: home.path, env: { ...process.env, ...home.env }, stdio: 'ignore' });
  run('ssh-keygen', '-q', '-t', 'ed25519', '-N', 'secret', '-f', 'key');
  run(
    'sh',
    '-c',
    `git init -q repository && cd repository && git config user.name T && git config user.email t@example.org
     echo one > file && git add file && for n in $(seq 40); do git commit -q --allow-empty -m "commit $n"; done`,
  );
  return home;
}
