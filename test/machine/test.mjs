// `npm test`: everything that says whether this checkout is good, on a machine with nothing but Node. Stops at the first
// step that fails, with its exit code. `npm test -- --only unit,shells` runs some steps, and what those need.
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { codeServer, newerNode } from './codeServer.mjs';
import { ensurePrograms, neededFor } from './packages.mjs';
import { ensureNodeModules, exitWith, Failure, npm, root, run } from './run.mjs';

const vitest = project => {
  const cli = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return run(process.execPath, [cli, 'run', '--config', join('test', 'vitest.config.mts'), '--project', project]);
};

/** In the order in which they run. */
const steps = [
  { name: 'check', what: 'types and lint', run: () => npm(['run', 'check']) },
  { name: 'unit', what: 'no shell, no process', run: () => vitest('unit') },
  { name: 'build', what: 'dist/', run: () => npm(['run', 'build']) },
  { name: 'shells', what: 'real ptys and shells', needs: ['build'], run: () => vitest('shells') },
  { name: 'package', what: 'the VSIX', run: () => npm(['run', 'package']) },
  { name: 'vscode', what: 'a real VS Code', needs: ['package'], run: () => vitest('vscode') },
];

async function main() {
  const chosen = chooseSteps();
  const times = [];
  await timed(times, 'machine', 'programs and node_modules', () => prepare(chosen));
  for (const step of chosen) await timed(times, step.name, step.what, step.run);
  printTable(times);
}

function chooseSteps() {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  if (values.only === undefined) return steps;
  const wanted = new Set(values.only.split(',').map(name => name.trim()));
  const unknown = [...wanted].filter(name => !steps.some(step => step.name === name));
  if (unknown.length > 0) {
    throw new Failure(`No step is named ${unknown.join(', ')}; there are ${steps.map(step => step.name).join(', ')}.`);
  }
  for (const step of steps) if (wanted.has(step.name)) for (const needed of step.needs ?? []) wanted.add(needed);
  return steps.filter(step => wanted.has(step.name));
}

async function prepare(chosen) {
  const needed = chosen.flatMap(step => neededFor(step.name));
  await ensurePrograms([...new Set(needed)]);
  await ensureNodeModules();
  const needs = name => chosen.some(step => step.name === name);
  if (needs('shells')) await newerNode();
  if (needs('vscode')) await codeServer();
}

async function timed(times, name, what, action) {
  console.log(`\n──── ${name}: ${what}`);
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  try {
    await action();
  } catch (error) {
    printTable([...times, { name, seconds: seconds(), outcome: 'FAILED' }]);
    throw error;
  }
  times.push({ name, seconds: seconds(), outcome: 'ok' });
  console.log(`──── ${name}: ${seconds()} s`);
}

function printTable(times) {
  const rows = times.map(({ name, seconds, outcome }) => `${name.padEnd(10)}${seconds.padStart(8)} s   ${outcome}`);
  console.log(`\n${rows.join('\n')}`);
}

main().catch(exitWith);
