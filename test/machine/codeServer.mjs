// A real VS Code from npm, installed once a machine: code-server, and the Node 24 that it insists on.
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { cached, isCached } from './cache.mjs';
import { cleanEnvironment, Failure, npm } from './run.mjs';

const version = '4.139.1';
const nodeMajor = 24;
const folderName = `code-server-${version}`;

export function isCodeServerCached() {
  return isCached(folderName);
}

/** The paths of code-server's entry script and of a Node to run it with, installed first where they are missing. */
export async function codeServer() {
  if (process.platform === 'win32') {
    throw new Failure('code-server does not run on Windows: install VS Code, so that `code` is on the PATH.');
  }
  const node = await node24();
  const folder = await cached(folderName, async partial => {
    console.log(`Installing code-server ${version} (once; a few minutes, 700 MB)`);
    await installInto(partial, `code-server@${version}`, { node, env: nativeBuildEnvironment(node) });
  });
  return { node, entry: join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js') };
}

/** A Node for programs that insist on 22.19 or later: the one that runs us, else Node 24 from npm. */
export async function newerNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19) ? process.execPath : await node24();
}

async function node24() {
  // Headers must lie beside it, as code-server's native modules are compiled for exactly this Node.
  if (process.versions.node.startsWith(`${nodeMajor}.`) && headersOf(process.execPath)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await cached(`node-${nodeMajor}`, async partial => {
    console.log(`Installing Node ${nodeMajor} (once; 200 MB)`);
    await installInto(partial, `${name}@${nodeMajor}`, { env: cleanEnvironment() });
  });
  return join(folder, 'node_modules', name, 'bin', 'node');
}

async function installInto(folder, spec, options) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  await npm(['install', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', spec], {
    cwd: folder,
    ...options,
  });
}

function nativeBuildEnvironment(node) {
  const env = cleanEnvironment();
  return {
    ...env,
    PATH: `${dirname(node)}${delimiter}${env.PATH}`,
    npm_config_ignore_scripts: 'false',
    // npm 11 holds back install scripts, on which code-server depends; npm 10 does not know the word.
    npm_config_dangerously_allow_all_scripts: 'true',
    // A person's .npmrc may point at the headers of another Node; these also spare a download.
    npm_config_nodedir: headersOf(node) ?? '',
  };
}

function headersOf(node) {
  const prefix = dirname(dirname(node));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? prefix : undefined;
}
