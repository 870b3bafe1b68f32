// The programs that the tests use and npm does not bring: found, installed on Debian, or named exactly.
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { isCodeServerCached } from './codeServer.mjs';
import { capture, Failure, run, which } from './run.mjs';

/** Daemons are not on everybody's PATH. */
const sbin = ['/usr/sbin', '/usr/local/sbin', '/sbin', '/usr/libexec'];

const command = (name, debian, brew) => ({ name, debian, brew, isThere: () => which(name, sbin) !== undefined });
const library = debian => ({ name: debian, debian, isThere: async () => !isDebian() || (await isInstalled(debian)) });

const shells = [
  command('bash', 'bash', 'bash'),
  command('zsh', 'zsh', 'zsh'),
  command('fish', 'fish', 'fish'),
  command('sshd', 'openssh-server', 'openssh'),
  // What the tests run in the shells.
  command('python3', 'python3', 'python'),
  command('less', 'less', 'less'),
  command('vim', 'vim', 'vim'),
  command('nano', 'nano', 'nano'),
  command('git', 'git', 'git'),
  command('ps', 'procps'),
  command('top', 'procps'),
];

const browser = {
  name: 'Chromium or Chrome (CHROMIUM=path names another one)',
  debian: 'chromium',
  brew: '--cask google-chrome',
  isThere: () => findBrowser() !== undefined,
};

/** What code-server's native modules are compiled with, once. */
const compiler = [command('g++', 'g++'), command('make', 'make'), library('libkrb5-dev'), library('libsecret-1-dev')];

/** Which programs a step of `npm test` needs. */
export function neededFor(step) {
  if (step === 'shells') return shells;
  if (step !== 'vscode') return [];
  // Without a font of fixed width the terminal's cells have no width.
  return [...shells, browser, library('fonts-dejavu'), ...(isCodeServerCached() ? [] : compiler)];
}

export async function ensurePrograms(needed) {
  const missing = await absent(needed);
  if (missing.length === 0) return;
  const packages = debianPackages(missing);
  const become = isDebian() ? await rootPrefix() : undefined;
  if (become) await aptInstall(become, packages);
  const left = become ? await absent(missing) : missing;
  if (left.length > 0) throw new Failure(explain(left));
}

/** One package may hold several of the programs. */
function debianPackages(programs) {
  return [...new Set(programs.map(program => program.debian))];
}

async function absent(programs) {
  const there = await Promise.all(programs.map(program => program.isThere()));
  return programs.filter((_, i) => !there[i]);
}

/** What to put before a command to run it as root; `undefined` where we are not root. CI machines give us sudo. */
async function rootPrefix() {
  if (process.getuid() === 0) return [];
  if (process.env.CI && (await capture('sudo', ['-n', 'true'])) !== undefined) return ['sudo', '-n'];
  return undefined;
}

async function aptInstall(become, packages) {
  console.log(`Installing ${packages.join(' ')}`);
  const apt = async args => {
    const [file, ...rest] = [...become, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    await run(file, rest);
  };
  await apt(['update']);
  await apt(['install', '-y', '--no-install-recommends', ...packages]);
}

function explain(missing) {
  const lines = missing.map(program => `  ${program.name}`);
  return `These programs are missing, and the tests that need them are not skipped:\n${lines.join('\n')}\n${howToGet(missing)}`;
}

function howToGet(missing) {
  const debian = debianPackages(missing).join(' ');
  if (process.platform === 'linux') return `On Debian or Ubuntu: sudo apt-get install ${debian}`;
  if (process.platform !== 'darwin') return 'On Windows run these steps in WSL, or choose others with --only.';
  const brew = missing.filter(program => program.brew).map(program => `brew install ${program.brew}`);
  const xcode = missing.some(program => program.name === 'g++' || program.name === 'make');
  return `Get them with:\n${[...brew, ...(xcode ? ['xcode-select --install'] : [])].map(line => `  ${line}`).join('\n')}`;
}

function isDebian() {
  const path = '/etc/os-release';
  return existsSync(path) && /^ID(_LIKE)?=.*\bdebian\b/m.test(readFileSync(path, 'utf8'));
}

async function isInstalled(name) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the format language of dpkg-query
  const status = await capture('dpkg-query', ['-W', '-f=${Status}', name]);
  return status?.includes('ok installed') === true;
}

/** The browser that shows the VS Code under test. */
export function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const applications = [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  const onPath = names.map(name => which(name)).find(path => path !== undefined);
  return onPath ?? applications.find(path => existsSync(path));
}
