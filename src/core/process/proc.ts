import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ForegroundProcess, Look, TtyWait } from './look';
import { ttyModes } from './ttyModes';
import { waitsFor } from './ttyWait';

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

/** The kernel's answers on Linux, from /proc. */
export async function lookInProc(root: number, tty: string): Promise<Look | undefined> {
  const tree = descendants(root);
  const [leader] = tree;
  if (!leader) return undefined;
  const inner = innerTerminal(tree, leader);
  const { foreground, path } = inner ?? { foreground: inFront(tree, leader), path: tty };
  return {
    // A shell's own command line says how we started it.
    foreground: foreground
      .slice(0, MAX_NAMED)
      .map(one => (one.pid === root ? { pid: root, name: one.name, command: one.name } : describe(one))),
    isRootInFront: !inner && foreground.some(one => one.pid === root),
    wait: strongest(foreground.map(one => waitOf(one, path))),
    modes: await ttyModes(path),
  };
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
  return tree.filter(one => one.group === leader.foreground && one.tty === leader.tty && one.state !== 'Z');
}

/**
 * The terminal of a program that was given one of its own, as sudo and script do: what is in front there is what the person talks to. Only if the program in
 * front of the outer terminal is its ancestor.
 */
function innerTerminal(tree: readonly Stat[], leader: Stat): { foreground: Stat[]; path: string } | undefined {
  const others = tree.filter(one => one.tty !== 0 && one.tty !== leader.tty);
  const last = others[others.length - 1];
  const relay = inFront(tree, leader)[0];
  if (!last || !relay || relay.pid === leader.pid || !descendants(relay.pid).some(one => one.pid === last.pid))
    return undefined;
  const foreground = others.filter(one => one.tty === last.tty && one.group === last.foreground && one.state !== 'Z');
  return foreground.length === 0 ? undefined : { foreground, path: ttyPath(last.tty) };
}

/** devpts(4): major numbers from 136 on, minor numbers with their upper bits above the major. */
function ttyPath(device: number): string {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return `/dev/pts/${(major - 136) * 256 + minor}`;
}

function waitOf({ pid, state }: Stat, tty: string): TtyWait {
  if (state !== 'S') return 'works';
  const threads = list(`/proc/${pid}/task`).slice(0, MAX_THREADS);
  return strongest(threads.map(thread => waitsFor(`/proc/${pid}/task/${thread}`, tty)));
}

const strength: readonly TtyWait[] = ['reads', 'polls', 'hidden', 'works'];

function strongest(waits: readonly TtyWait[]): TtyWait {
  return strength.find(wait => waits.includes(wait)) ?? 'works';
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
