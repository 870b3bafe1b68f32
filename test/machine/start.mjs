// `npm start`: builds, then opens VS Code with the extension running from this checkout. Needs Node and npm, nothing else.
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ensureNodeModules, exitWith, Failure, npm, root, run, which } from './run.mjs';
import { linkExtension, startCodeServer } from './vscode.mjs';

const usage = `npm start -- [options]
  --folder DIR   the folder to open (default: this checkout)
  --web          a VS Code in the browser, even where \`code\` is installed
  --port N       its port on 127.0.0.1 (default: a free one)
  --smoke        start it, see that it answers, and end: a test of this command
A PASSWORD in the environment has the browser ask for it.`;

async function main() {
  const options = parseOptions();
  if (options.help) return console.log(usage);
  await ensureNodeModules();
  await npm(['run', 'build']);
  const code = options.web ? undefined : desktopCode();
  if (code) await openDesktop(code, options.folder);
  else await serveWeb(options);
}

function parseOptions() {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { folder: text, port: text, web: flag, smoke: flag, help: flag } });
  const folder = resolve(process.env.INIT_CWD ?? '.', values.folder ?? root);
  if (!existsSync(folder)) throw new Failure(`There is no folder ${folder}.`);
  return {
    ...values,
    folder,
    port: Number(values.port ?? 0),
    web: values.web || values.smoke || values.port !== undefined,
  };
}

/** `code`, where it could open a window: it refuses root, and needs a display. */
function desktopCode() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && (process.getuid() === 0 || !(DISPLAY || WAYLAND_DISPLAY))) return undefined;
  return which('code');
}

async function openDesktop(code, folder) {
  printMcpConfiguration();
  console.log('Opening VS Code. After a change: npm run build, then "Developer: Reload Window".');
  const args = [`--extensionDevelopmentPath=${root}`, '--new-window', folder];
  // On Windows it is a batch file, which only a shell can run; the shell joins the arguments without quoting them.
  const shell = process.platform === 'win32';
  await run(shell ? `"${code}"` : code, shell ? args.map(arg => `"${arg}"`) : args, { shell });
}

async function serveWeb(options) {
  const home = join(root, 'artifacts', 'start');
  const places = { userDataDir: join(home, 'user-data'), extensionsDir: join(home, 'extensions') };
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  linkExtension(places.extensionsDir, root);
  const { PASSWORD } = process.env;
  const env = PASSWORD ? { PASSWORD } : {};
  // Whoever names a folder on this command line trusts it; Glass TTY does not run where VS Code has to ask first.
  const args = ['--disable-workspace-trust'];
  const server = await startCodeServer({ ...places, folder: options.folder, port: options.port, args, env });
  printMcpConfiguration();
  console.log(`VS Code with Glass TTY: ${server.url}`);
  if (!PASSWORD) console.log('Everyone with an account on this machine can open it; set PASSWORD to have it ask.');
  if (options.smoke) return await smoke(server);
  console.log('After a change: npm run build, then "Developer: Reload Window". ctrl+c ends it.');
  await untilStopped(server);
}

async function untilStopped(server) {
  const asked = new Promise(done => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => done('asked'));
  });
  const why = await Promise.race([asked, server.exited.then(() => 'exited')]);
  await server.stop();
  if (why !== 'asked') throw new Failure('VS Code ended by itself.');
}

async function smoke(server) {
  try {
    const answer = await fetch(server.url);
    const page = await answer.text();
    if (!answer.ok || !page.includes('vscode-workbench-web-configuration')) {
      throw new Failure(`${server.url} answered ${answer.status}, and not with a workbench`);
    }
    console.log('It answers.');
  } finally {
    await server.stop();
  }
}

function printMcpConfiguration() {
  const server = { command: 'node', args: [join(root, 'dist', 'cli.js')] };
  console.log(`MCP configuration for other clients: ${JSON.stringify({ mcpServers: { 'glass-tty': server } })}`);
}

main().catch(exitWith);
