import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHttp, connectStdio, startHttp, type TestClient } from '../helpers/mcp';
import { median, peakMb, percentile, resetPeak, residentMb, times } from './measure';
import { drain, RawBash } from './raw';

/**
 * `npm run bench [-- --json FILE]`: what Glass TTY costs, beside node-pty itself in the same run. Read the ratios; the times are this machine's.
 */
interface Row {
  readonly what: string;
  readonly raw: string;
  readonly ours: string;
  readonly ratio: string;
}

const rows: Row[] = [];
const figures: Record<string, number> = {};

const folder = mkdtempSync(join(tmpdir(), 'glass-tty-bench-'));
// bash with an empty start-up file on both sides.
writeFileSync(join(folder, '.bashrc'), '');
const env = { ...process.env, HOME: folder };
const serverEnv = { env: { HOME: folder, SHELL: '/bin/bash' }, cwd: folder };

const FLOOD_MB = 100;
const LINE = `${'The quick brown fox jumps over the lazy dog and runs away. '.padEnd(74, 'x')}\n`;

function add(what: string, raw: number, ours: number, unit: string, name: string, digits = 2): void {
  rows.push({
    what,
    raw: `${raw.toFixed(digits)} ${unit}`,
    ours: `${ours.toFixed(digits)} ${unit}`,
    ratio: (ours / raw).toFixed(2),
  });
  figures[`${name}_raw`] = raw;
  figures[name] = ours;
}

function note(what: string, ours: number, unit: string, name: string): void {
  rows.push({ what, raw: '', ours: `${ours.toFixed(2)} ${unit}`, ratio: '' });
  figures[name] = ours;
}

async function warmExec(client: TestClient, transport: string): Promise<void> {
  const raw = new RawBash(env);
  await raw.prompt();
  await client.exec('true');
  const rawTimes: number[] = [];
  const ourTimes: number[] = [];
  // In turn, so that a change in the machine's speed meets both.
  for (let round = 0; round < 10; round++) {
    rawTimes.push(...(await times(50, () => raw.run('true'))));
    ourTimes.push(...(await times(50, () => client.exec('true'))));
  }
  raw.end();
  add(`warm EXEC true, ${transport}, p50`, median(rawTimes), median(ourTimes), 'ms', `warm_${transport}_p50`);
  add(
    `warm EXEC true, ${transport}, p95`,
    percentile(rawTimes, 95),
    percentile(ourTimes, 95),
    'ms',
    `warm_${transport}_p95`,
  );
}

async function spawnToPrompt(client: TestClient): Promise<void> {
  const rawSpawn = async () => {
    const raw = new RawBash(env);
    await raw.prompt();
    raw.end();
  };
  let terminal = 100;
  const ourSpawn = () => client.exec('true', { terminal });
  const rawTimes: number[] = [];
  const ourTimes: number[] = [];
  for (let round = 0; round < 30; round++) {
    terminal++;
    rawTimes.push(...(await times(1, rawSpawn, 0)));
    ourTimes.push(...(await times(1, ourSpawn, 0)));
    await client.kill({ terminal });
  }
  // An agent meets a new terminal by an EXEC; the time of one in a terminal that is there already is taken off.
  const warm = median(await times(50, () => client.exec('true')));
  add('spawn to first prompt, p50', median(rawTimes), median(ourTimes) - warm, 'ms', 'spawn_p50');
}

async function flood(client: TestClient, pid: number): Promise<void> {
  const file = join(folder, 'flood');
  const lines = Math.ceil((FLOOD_MB * 1e6) / LINE.length);
  writeFileSync(file, LINE.repeat(lines));
  // The tty makes CR LF of each LF.
  const bytes = lines * (LINE.length + 1);
  const rawRates: number[] = [];
  const ourRates: number[] = [];
  const added: number[] = [];
  for (let round = 0; round < 5; round++) {
    rawRates.push(bytes / 1000 / (await drain('/bin/cat', [file], env, bytes)));
    const before = residentMb(pid);
    resetPeak(pid);
    const reply = await client.exec(`cat ${file}`, { terminal: 1 });
    ourRates.push(bytes / 1000 / Number(reply.structured['duration_ms']));
    added.push(peakMb(pid) - before);
  }
  add(`${FLOOD_MB} MB cat`, median(rawRates), median(ourRates), 'MB/s', 'flood', 1);
  note(`${FLOOD_MB} MB cat, added memory of the server (highest)`, Math.max(...added), 'MB', 'flood_memory');
}

async function idleSessions(): Promise<void> {
  const server = await startHttp(serverEnv);
  const client = await connectHttp(server.url, server.token);
  const pid = await serverPid(client);
  const before = residentMb(pid);
  for (let terminal = 1; terminal <= 100; terminal++) await client.exec('true', { terminal });
  note('memory per idle session, at 100', (residentMb(pid) - before) / 100, 'MB', 'session_memory');
  await client.close();
  await server.stop();
}

async function serverPid(client: TestClient): Promise<number> {
  return Number((await client.exec('echo $PPID')).texts[0]);
}

function print(): void {
  const head: Row = { what: '', raw: 'node-pty', ours: 'Glass TTY', ratio: 'ratio' };
  const width = (pick: (row: Row) => string) => Math.max(...[head, ...rows].map(row => pick(row).length));
  const widths = [width(row => row.what), width(row => row.raw), width(row => row.ours), width(row => row.ratio)];
  for (const row of [head, ...rows]) {
    const [what, ...numbers] = [row.what, row.raw, row.ours, row.ratio];
    process.stdout.write(
      `${what?.padEnd(widths[0] ?? 0)}  ${numbers.map((cell, i) => cell.padStart(widths[i + 1] ?? 0)).join('  ')}\n`,
    );
  }
}

async function main(): Promise<void> {
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)} · ${process.platform}-${process.arch} · ${cpus().length} cores · Node ${process.version}\n\n`,
  );
  const stdio = await connectStdio(serverEnv);
  await warmExec(stdio, 'stdio');
  await spawnToPrompt(stdio);
  await stdio.close();
  const server = await startHttp(serverEnv);
  const http = await connectHttp(server.url, server.token);
  await warmExec(http, 'http');
  await flood(http, await serverPid(http));
  await http.close();
  await server.stop();
  await idleSessions();
  print();
  const json = process.argv.indexOf('--json');
  if (json > 0) writeFileSync(process.argv[json + 1] ?? 'bench.json', `${JSON.stringify(figures, null, 2)}\n`);
}

main()
  .finally(() => rmSync(folder, { recursive: true, force: true }))
  .then(
    () => process.exit(0),
    error => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
