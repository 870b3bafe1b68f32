import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import type { TtyWait } from './look';

/** Numbers of the system calls that wait for input, by processor. */
const calls: Readonly<Record<string, Readonly<Record<number, Call>>>> = {
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
  },
  arm64: { 63: 'read', 65: 'read', 73: 'poll', 72: 'select', 22: 'epoll', 441: 'epoll' },
};

type Call = 'read' | 'poll' | 'select' | 'epoll';

/** Bytes of a pollfd, poll(2): an int and two shorts. */
const POLLFD = 8;
const POLLIN = 1;
const EPOLLIN = 1;
/** Descriptors looked at in one poll. */
const MAX_DESCRIPTORS = 1024;

/** How a thread (its folder in /proc) waits for the terminal `tty`. */
export function waitsFor(thread: string, tty: string): TtyWait {
  let text: string;
  try {
    text = readFileSync(`${thread}/syscall`, 'latin1');
  } catch {
    // A process of another user, such as sudo's.
    return 'hidden';
  }
  const [number = '', ...hex] = text.trim().split(' ');
  const [first = 0n, second = 0n, third = 0n, fourth = 0n, fifth = 0n] = hex.map(BigInt);
  const isTty = (fd: number) => leadsTo(`${thread}/fd/${fd}`, tty);
  // For the terminal alone, and without a time limit, it is as good as a read.
  const among = (fds: readonly number[], isTimed: boolean): TtyWait =>
    !fds.some(isTty) ? 'works' : fds.length === 1 && !isTimed ? 'reads' : 'polls';
  switch (calls[process.arch]?.[Number(number)]) {
    case 'read':
      return isTty(Number(first)) ? 'reads' : 'works';
    case 'poll':
      return among(polled(thread, first, Number(second)), !isForever(number, third));
    case 'select':
      return among(selected(thread, second, Number(first)), fifth !== 0n);
    case 'epoll':
      return among(epolled(thread, Number(first)), BigInt.asIntN(32, fourth) >= 0n);
    default:
      return 'works';
  }
}

/** poll has a number of ms, -1 for no limit, ppoll a pointer. */
function isForever(number: string, limit: bigint): boolean {
  return process.arch === 'x64' && number === '7' ? BigInt.asIntN(32, limit) < 0n : limit === 0n;
}

function leadsTo(path: string, tty: string): boolean {
  try {
    const target = readlinkSync(path);
    return target === tty || target === '/dev/tty';
  } catch {
    return false;
  }
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
  try {
    const text = readFileSync(`${thread}/fdinfo/${fd}`, 'latin1');
    return [...text.matchAll(/^tfd: +(\d+) events: +([0-9a-f]+)/gm)]
      .filter(match => Number.parseInt(match[2] ?? '', 16) & EPOLLIN)
      .map(match => Number(match[1]));
  } catch {
    return [];
  }
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
