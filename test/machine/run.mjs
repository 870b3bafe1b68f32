// Running other programs: npm among them, on any platform and under any npm.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** A failure whose message is meant for the person at the terminal: printed without a stack. */
export class Failure extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs to the end with our own output streams; anything but exit code 0 is a `Failure`. */
export async function run(file, args, options = {}) {
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
  const { code, signal } = await ended(child, file);
  if (code !== 0)
    throw new Failure(`${[file, ...args].join(' ')} ended with ${signal ?? `exit code ${code}`}`, code ?? 1);
}

/** Runs to the end and gives what it wrote; `undefined` if it cannot run or fails. */
export async function capture(file, args, options = {}) {
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], ...options });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  const { code } = await ended(child, file).catch(() => ({ code: undefined }));
  return code === 0 ? output : undefined;
}

function ended(child, file) {
  return new Promise((resolve, reject) => {
    child.once('error', error => reject(new Failure(`${file} did not start: ${error.message}`)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** Runs npm with `options.node`, or with the Node that runs us. */
export async function npm(args, options = {}) {
  const cli = npmScript();
  if (cli) return await run(options.node ?? process.execPath, [cli, ...args], options);
  return await run('npm', args, { shell: process.platform === 'win32', ...options });
}

/** npm's own script, which needs no shell on Windows: that of the npm that runs us, else the one that came with Node. */
function npmScript() {
  const script = join('node_modules', 'npm', 'bin', 'npm-cli.js');
  const home = dirname(process.execPath);
  const candidates = [process.env.npm_execpath ?? '', join(home, '..', 'lib', script), join(home, script)];
  return candidates.find(path => basename(path) === 'npm-cli.js' && existsSync(path));
}

/** `npm ci`, unless node_modules is complete and as new as the lock file. */
export async function ensureNodeModules() {
  // npm writes this file last, so it is missing after an interrupted install.
  const installed = modified(join(root, 'node_modules', '.package-lock.json'));
  if (installed >= modified(join(root, 'package-lock.json'))) return;
  console.log('Installing node_modules (npm ci)');
  await npm(['ci', '--no-audit', '--no-fund']);
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** The full path of a program on the PATH, or in one of the `extra` folders. */
export function which(name, extra = []) {
  const suffixes = process.platform === 'win32' ? (process.env.PATHEXT ?? '.EXE;.CMD').split(';') : [''];
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...extra]) {
    for (const suffix of suffixes) {
      const path = join(folder, name + suffix);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent, or in a folder that is closed to us: either way not ours to run
  }
}

/**
 * The environment without what would lead a program astray that is not part of this npm run or of the editor that we
 * were started from: `npm_config_user_agent` names the outer Node, `VSCODE_IPC_HOOK_CLI` sends a command to that editor.
 */
export function cleanEnvironment(env = process.env) {
  const personal = /^npm_config_(cache|userconfig|globalconfig|registry|proxy|https_proxy|noproxy|cafile)$/i;
  const astray =
    /^(npm_|VSCODE_|CODE_SERVER_|VITEST|ELECTRON_|NODE_OPTIONS$|NODE$|PORT$|PASSWORD$|HASHED_PASSWORD$|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => personal.test(name) || !astray.test(name)));
}

/** Ends the process with a failure's exit code, or shows the stack of what nobody foresaw. */
export function exitWith(error) {
  console.error(error instanceof Failure ? `\n${error.message}` : error);
  process.exit(error instanceof Failure ? error.exitCode : 1);
}
