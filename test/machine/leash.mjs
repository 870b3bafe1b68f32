// node leash.mjs FILE ARGS…: runs a program which ends, with all its children, when our standard input ends. That happens
// however the process that started us goes, `kill -9` included; so no test run and no `npm start` leaves a server behind.
// Start it detached: it is then the leader of the process group that it ends.
import { spawn } from 'node:child_process';
import process from 'node:process';

const graceMs = 3_000;
const [file, ...args] = process.argv.slice(2);
const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const signalGroup = process.platform === 'win32' ? () => child.kill() : signal => process.kill(-process.pid, signal);

process.on('SIGTERM', () => {}); // our own signal to the group reaches us as well
process.stdin.resume().on('error', end).on('end', end);
child.on('error', error => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', code => {
  // The children's children must not outlive it; this kills ourselves too, so a failed start reports its code first.
  if (code) console.error(`${file} ended with exit code ${code}`);
  signalGroup('SIGKILL');
  process.exit(code ?? 1);
});

function end() {
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), graceMs);
}
