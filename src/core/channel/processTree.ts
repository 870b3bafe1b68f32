import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { EndReport, Survivor } from './channel';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Tells a process from a later one with the same pid. */
  readonly started: string;
  readonly command: string;
  /** A dead process whose parent has not asked for it yet. */
  readonly zombie: boolean;
}

/** Ever stronger ways of asking, with the time each gets in ms. SIGHUP is what a closing terminal sends. */
const escalation = [
  { signal: 'SIGHUP', patience: 400 },
  { signal: 'SIGTERM', patience: 600 },
  { signal: 'SIGKILL', patience: 800 },
] as const;

/** Time between two looks at the process table, in ms: the kernel has no event for the death of somebody else's child. */
const SAMPLE_MS = 15;

/**
 * Ends `leader`, its descendants, its terminal session's members and, on Linux, whoever carries `marker` in the environment: children
 * that went away by setsid, nohup or a double fork are found by it.
 */
export async function endTree(leader: number, marker: string): Promise<EndReport> {
  if (process.platform === 'win32') return endWindowsTree(leader);
  let last = 'SIGHUP';
  const known = new Map<number, string>();
  for (const { signal, patience } of escalation) {
    const deadline = performance.now() + patience;
    let tree = await findTree(leader, marker, known);
    if (tree.length === 0) return { signal: last, survivors: [] };
    last = signal;
    for (const one of tree) send(one, signal);
    while (tree.length > 0 && performance.now() < deadline) {
      await new Promise(resolve => setTimeout(resolve, SAMPLE_MS));
      tree = await findTree(leader, marker, known);
    }
    if (tree.length === 0) return { signal, survivors: [] };
  }
  return { signal: last, survivors: (await findTree(leader, marker, known)).map(survivor) };
}

function send(target: Process, signal: NodeJS.Signals): void {
  try {
    process.kill(target.pid, signal);
    // A stopped process acts on no signal but SIGKILL before it is continued.
    if (signal !== 'SIGKILL') process.kill(target.pid, 'SIGCONT');
  } catch {
    // It is gone already, or not ours; the next look tells.
  }
}

const survivor = (one: Process): Survivor => ({ pid: one.pid, command: one.command });

/** `known` remembers members by pid and start, so that an orphan stays one after its parent has died. */
async function findTree(leader: number, marker: string, known: Map<number, string>): Promise<Process[]> {
  const all = (await listProcesses()).filter(one => !one.zombie);
  const members = new Map<number, Process>();
  for (const one of all) {
    const isMember =
      one.pid === leader || one.session === leader || known.get(one.pid) === one.started || carries(one.pid, marker);
    if (isMember && one.pid !== process.pid) members.set(one.pid, one);
  }
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of all) {
      if (members.has(one.pid) || !members.has(one.parent)) continue;
      members.set(one.pid, one);
      grown = true;
    }
  }
  for (const one of members.values()) known.set(one.pid, one.started);
  return [...members.values()];
}

function carries(pid: number, marker: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker);
  } catch {
    return false;
  }
}

async function listProcesses(): Promise<Process[]> {
  return process.platform === 'linux' ? listProc() : await listPs();
}

/** proc(5): the fields of /proc/PID/stat after the command in parentheses, which may itself hold blanks and parentheses. */
function listProc(): Process[] {
  const found: Process[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const close = stat.lastIndexOf(')');
      const fields = stat.slice(close + 2).split(' ');
      found.push({
        pid: Number(name),
        parent: Number(fields[1]),
        session: Number(fields[3]),
        started: fields[19] ?? '',
        command: stat.slice(stat.indexOf('(') + 1, close),
        zombie: fields[0] === 'Z' || fields[0] === 'X',
      });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

async function listPs(): Promise<Process[]> {
  // BSD ps knows a session only by address; the leader's children are found by their parents.
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart=,comm=']);
  return stdout.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
    if (!match) return [];
    const [, pid, parent, stat = '', started = '', command = ''] = match;
    return [{ pid: Number(pid), parent: Number(parent), session: -1, started, command, zombie: stat.startsWith('Z') }];
  });
}

async function endWindowsTree(leader: number): Promise<EndReport> {
  try {
    await promisify(execFile)('taskkill', ['/pid', String(leader), '/t', '/f'], { windowsHide: true });
  } catch {
    // taskkill fails when the process is gone already, and says nothing that a program could rely on.
  }
  return { signal: 'SIGKILL', survivors: [] };
}
