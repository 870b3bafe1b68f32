// Running code-server, a VS Code whose window is a browser's page.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { codeServer } from './codeServer.mjs';
import { cleanEnvironment, Failure, run } from './run.mjs';

const leash = fileURLToPath(new URL('leash.mjs', import.meta.url));
const startDeadlineMs = 60_000;

function places(options) {
  return [
    '--config',
    join(options.userDataDir, 'code-server.yaml'),
    '--user-data-dir',
    options.userDataDir,
    '--extensions-dir',
    options.extensionsDir,
    '--disable-telemetry',
    '--disable-update-check',
  ];
}

export async function installExtension(options) {
  const { node, entry } = await codeServer();
  const env = { ...cleanEnvironment(), ...options.env };
  await run(node, [entry, ...places(options), '--install-extension', options.vsix, '--force'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Starts a server for `options.folder` on 127.0.0.1, and gives its address once it listens. Its whole process group ends
 * with `stop()`, or when this process ends in any way.
 */
export async function startCodeServer(options) {
  const { node, entry } = await codeServer();
  const listen = [
    '--auth',
    options.env?.PASSWORD ? 'password' : 'none',
    '--bind-addr',
    `127.0.0.1:${options.port ?? 0}`,
  ];
  const args = [entry, ...places(options), ...listen, ...(options.args ?? []), options.folder];
  const child = spawn(process.execPath, [leash, node, ...args], {
    cwd: options.folder,
    env: { ...cleanEnvironment(), ...options.env },
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}); // it may be gone already when we end it
  const exited = new Promise(resolve => child.once('exit', resolve).once('error', resolve));
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  try {
    const address = await listening(child, options.onOutput ?? (() => {}));
    const url = `${address}?folder=${encodeURIComponent(options.folder)}`;
    return { address, url, pid: child.pid, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** code-server says on its output when it listens; a start that fails ends instead. */
function listening(child, onOutput) {
  let timer;
  const address = new Promise((resolve, reject) => {
    let output = '';
    const fail = why => reject(new Failure(`code-server ${why}\n${output}`));
    const read = text => {
      onOutput(text);
      output = (output + text).slice(-10_000);
      const found = /HTTP server listening on (http:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.once('error', error => fail(`did not start: ${error.message}`));
    child.once('close', () => fail('ended before it listened'));
    timer = setTimeout(() => fail(`did not listen within ${startDeadlineMs / 1000} s`), startDeadlineMs);
  });
  return address.finally(() => clearTimeout(timer));
}

/** The extensions folder's own index may name folders elsewhere: an extension is run from where it is worked on. */
export function linkExtension(extensionsDir, folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const index = join(extensionsDir, 'extensions.json');
  const id = `${manifest.publisher}.${manifest.name}`;
  const others = existsSync(index) ? JSON.parse(readFileSync(index, 'utf8')).filter(e => e.identifier.id !== id) : [];
  const location = { $mid: 1, path: folder, scheme: 'file' };
  const entry = { identifier: { id }, version: manifest.version, location };
  writeFileSync(index, JSON.stringify([...others, entry]));
  return id;
}
