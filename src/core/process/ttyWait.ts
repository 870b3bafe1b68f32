import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import type { TtyWait } from './look';

type Call = 'read' | 'poll' | 'select' | 'epoll' | 'accept';
type Calls = Readonly<Record<number, Call>>;

/** The numbers that all newer processors have in common (asm-generic/unistd.h). */
const generic: Calls = {
  63: 'read',
  65: 'read',
  73: 'poll',
  72: 'select',
  22: 'epoll',
  441: 'epoll',
  202: 'accept',
  242: 'accept',
};

/** Numbers of the system calls that wait for input, by processor. */
const calls: Readonly<Record<string, Calls>> = {
  x64: {
    0: 'read',
    19: 'read',
    7: 'poll',
    271: 'poll',
    23: 'select',
    270: 'select',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll',
    43: 'accept',
    288: 'accept',
  },
  arm64: generic,
  riscv64: generic,
  loong64: generic,
};
const EPOLL_PWAIT2 = '441';

/** What a thread does: as `TtyWait` has it, or it serves, that is, it waits for the network and not for the terminal. */
export interface ThreadWait {
  readonly wait: TtyWait | 'serves';
  readonly isTimed: boolean;
}

const works: ThreadWait = { wait: 'works', isTimed: false };
/** A process of another user, such as sudo's; or this kernel does not tell. */
const hidden: ThreadWait = { wait: 'hidden', isTimed: false };

/** Bytes of a pollfd, poll(2): an int and two shorts. */
const POLLFD = 8;
const POLLIN = 1;
const EPOLLIN = 1;
/** Descriptors looked at in one poll. */
const MAX_DESCRIPTORS = 1024;

/** How a thread (its folder in /proc) waits for the terminal `tty`. */
export function waitsFor(thread: string, tty: string): ThreadWait {
  const known = calls[process.arch];
  const text = read(`${thread}/syscall`);
  if (!known || text === undefined) return existsSync(thread) ? hidden : works;
  const [number = '', ...hex] = text.trim().split(' ');
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = hex.map(BigInt);
  const among = (fds: readonly number[], isTimed: boolean): ThreadWait => {
    const targets = fds.map(fd => targetOf(`${thread}/fd/${fd}`));
    if (targets.some(target => isTerminal(target, tty))) return { wait: fds.length === 1 ? 'reads' : 'polls', isTimed };
    return targets.some(target => target.startsWith('socket:')) ? { wait: 'serves', isTimed } : works;
  };
  switch (known[Number(number)]) {
    case 'read':
      return isTerminal(targetOf(`${thread}/fd/${Number(first)}`), tty) ? { wait: 'reads', isTimed: false } : works;
    case 'accept':
      return { wait: 'serves', isTimed: false };
    case 'poll':
      return among(polled(thread, first, Number(second)), !isForever(number, third));
    case 'select':
      return among(selected(thread, second, Number(first)), fifth !== 0n);
    case 'epoll':
      return among(epolled(thread, Number(first)), number === EPOLL_PWAIT2 ? fourth !== 0n : !isNegative(fourth));
    default:
      return works;
  }
}

/** poll has a number of ms, -1 for no limit, ppoll a pointer. */
function isForever(number: string, limit: bigint): boolean {
  return process.arch === 'x64' && number === '7' ? isNegative(limit) : limit === 0n;
}

/** Of a register that holds an int. */
function isNegative(register: bigint): boolean {
  return BigInt.asIntN(32, register) < 0n;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** Empty for a descriptor that has been closed meanwhile. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function isTerminal(target: string, tty: string): boolean {
  return target === tty || target === '/dev/tty';
}

function polled(thread: string, address: bigint, count: number): number[] {
  const bytes = memory(thread, address, Math.min(count, MAX_DESCRIPTORS) * POLLFD);
  const found: number[] = [];
  for (let at = 0; at + POLLFD <= bytes.length; at += POLLFD) {
    if (bytes.readInt16LE(at + 4) & POLLIN) found.push(bytes.readInt32LE(at));
  }
  return found;
}

/** The descriptors in an fd_set, a bit each. */
function selected(thread: string, address: bigint, count: number): number[] {
  if (address === 0n) return [];
  const bytes = memory(thread, address, Math.ceil(Math.min(count, MAX_DESCRIPTORS) / 8));
  return [...bytes].flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter(bit => byte & (1 << bit)).map(bit => index * 8 + bit),
  );
}

/** proc_pid_fdinfo(5): `tfd: 5 events: 19 data: …`, the events in hexadecimal. */
function epolled(thread: string, fd: number): number[] {
  const text = read(`${thread}/fdinfo/${fd}`) ?? '';
  return [...text.matchAll(/^tfd: +(\d+) events: +([0-9a-f]+)/gm)]
    .filter(match => Number.parseInt(match[2] ?? '', 16) & EPOLLIN)
    .map(match => Number(match[1]));
}

/** What another process has at an address; nothing where we may not look. */
function memory(thread: string, address: bigint, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  try {
    const file = openSync(`${thread}/mem`, 'r');
    try {
      return bytes.subarray(0, readSync(file, bytes, 0, length, address));
    } finally {
      closeSync(file);
    }
  } catch {
    return bytes.subarray(0, 0);
  }
}
