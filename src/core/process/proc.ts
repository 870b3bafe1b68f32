import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { systemErrorCode } from '../../base/errors';
import type { ForegroundProcess, Look, TtyWait } from './look';
import { ttyModes } from './ttyModes';
import { type ThreadWait, waitsFor } from './ttyWait';

/** Of /proc/PID/stat, proc(5). */
export interface Stat {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly group: number;
  /** Device number of the controlling terminal; 0 for none. */
  readonly tty: number;
  /** The terminal's foreground process group. */
  readonly foreground: number;
}

/** Processes of one session looked at: a fork bomb is no reason to hang. */
const MAX_PROCESSES = 500;
/** Threads of a process looked at. */
const MAX_THREADS = 64;
/** Characters of a command line. */
const COMMAND_WIDTH = 60;
/** Processes in front that are named. */
const MAX_NAMED = 8;

/** Who is in front in a terminal, ancestors first. */
interface Front {
  readonly path: string;
  readonly processes: readonly Stat[];
}

/** What a front does, and the modes of its terminal. */
type Seen = Pick<Look, 'wait' | 'isTimed' | 'modes'>;
type Waiting = Pick<Look, 'wait' | 'isTimed'>;

/** The kernel's answers on Linux, from /proc. Undefined also where what is in front may not be seen. */
export async function lookInProc(root: number, tty: string): Promise<Look | undefined> {
  const tree = descendants(root);
  const [leader] = tree;
  if (!leader) return undefined;
  const group = inFront(tree, leader);
  if (group.length === 0 && isThere(leader.foreground)) return undefined;
  const outer = { path: tty, processes: group.filter(one => one.state !== 'Z') };
  const seen = await see(outer);
  // What forwards the input to a terminal inside has made the outer one raw; a program that only runs others in terminals of theirs has not.
  const inner = seen.modes?.isCanonical === false && seen.wait !== 'works' ? innerFront(tree, outer) : undefined;
  const { processes } = inner ?? outer;
  return {
    // A shell's own command line says how we started it.
    foreground: processes
      .slice(0, MAX_NAMED)
      .map(one => (one.pid === root ? { pid: root, name: one.name, command: one.name } : describe(one))),
    isRootInFront: processes.some(one => one.pid === root),
    ...(inner ? await see(inner) : seen),
  };
}

/** Modes take a moment to learn. Who has not waited in the same way before and after it, works. */
async function see({ path, processes }: Front): Promise<Seen> {
  const before = strongest(processes.map(({ pid }) => waitOf(pid, path)));
  const modes = await ttyModes(path);
  const after = strongest(processes.map(({ pid }) => waitOf(pid, path)));
  const wait = before.wait === after.wait ? after.wait : 'works';
  return { wait, isTimed: before.isTimed || after.isTimed, modes };
}

/** A process and all its descendants, ancestors first; nothing when it has gone. */
export function descendants(root: number): Stat[] {
  const found: Stat[] = [];
  const queue = [root];
  for (let pid = queue.shift(); pid !== undefined && found.length < MAX_PROCESSES; pid = queue.shift()) {
    const stat = readStat(pid);
    if (!stat) continue;
    found.push(stat);
    queue.push(...childrenOf(pid));
  }
  return found;
}

function inFront(tree: readonly Stat[], leader: Stat): Stat[] {
  return tree.filter(one => one.group === leader.foreground && one.tty === leader.tty);
}

/** A process group that this user may not see (proc(5), hidepid) is there all the same. */
function isThere(group: number): boolean {
  try {
    return group > 1 && process.kill(-group, 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/** The front of the terminal that a program in front has given to another one, as sudo and script do. */
function innerFront(tree: readonly Stat[], { processes: [relay] }: Front): Front | undefined {
  const inside = new Set(relay && relay.pid !== tree[0]?.pid ? descendants(relay.pid).map(one => one.pid) : []);
  const others = tree.filter(one => inside.has(one.pid) && one.tty !== 0 && one.tty !== relay?.tty);
  const last = others[others.length - 1];
  return last && { path: ttyPath(last.tty), processes: inFront(others, last) };
}

/** devpts(4): major numbers from 136 on, minor numbers with their upper bits above the major. */
function ttyPath(device: number): string {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return `/dev/pts/${(major - 136) * 256 + minor}`;
}

function waitOf(pid: number, tty: string): Waiting {
  if (readStat(pid)?.state !== 'S') return { wait: 'works', isTimed: false };
  const threads = list(`/proc/${pid}/task`).slice(0, MAX_THREADS);
  const waits = threads.map(thread => waitsFor(`/proc/${pid}/task/${thread}`, tty));
  const most = strongest(waits);
  // A server may have a thread for what is typed.
  return most.wait === 'reads' && waits.some(one => one.wait === 'serves') ? { ...most, wait: 'polls' } : most;
}

const strength: readonly TtyWait[] = ['reads', 'polls', 'hidden', 'works'];

function strongest(waits: readonly ThreadWait[]): Waiting {
  const wait = strength.find(kind => waits.some(one => one.wait === kind)) ?? 'works';
  return { wait, isTimed: waits.some(one => one.wait === wait && one.isTimed) };
}

function describe({ pid, name }: Stat): ForegroundProcess {
  const command = (read(`/proc/${pid}/cmdline`) ?? '')
    .replace(/\0+$/, '')
    .replaceAll('\0', ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[^ ]*\//, '');
  const short = command.length > COMMAND_WIDTH ? `${command.slice(0, COMMAND_WIDTH - 1)}…` : command;
  return { pid, name, command: short || name };
}

function readStat(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name may itself hold blanks and parentheses.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, close),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    tty: Number(fields[4]),
    foreground: Number(fields[5]),
  };
}

function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`).flatMap(thread =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

/** The TCP ports on which processes listen, in ascending order (proc_net(5): state 0A). */
export function listeningPorts(pids: readonly number[]): number[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  if (sockets.size === 0) return [];
  const ports = ['tcp', 'tcp6'].flatMap(table =>
    (read(`/proc/net/${table}`) ?? '').split('\n').flatMap(line => {
      const fields = line.trim().split(/\s+/);
      const isOurs = fields[3] === '0A' && sockets.has(fields[9] ?? '');
      return isOurs ? [Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)] : [];
    }),
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}

function socketsOf(pid: number): string[] {
  return list(`/proc/${pid}/fd`).flatMap(fd => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}

/** Undefined for a process that has ended meanwhile, or that is not ours to look at. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
