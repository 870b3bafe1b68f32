import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Look, TtyWait } from './look';
import { ttyModes } from './ttyModes';

/** What BSD ps calls the wait for a terminal's input; what it calls the waits for one of several things. */
const waits: Readonly<Record<string, TtyWait>> = {
  ttyin: 'reads',
  ttyraw: 'reads',
  select: 'polls',
  kqread: 'polls',
  poll: 'polls',
};

const COMMAND_WIDTH = 60;

/** The same questions as on Linux, asked of ps(1) on macOS. A process that polls may poll something else than the terminal. */
export async function lookByPs(root: number, tty: string): Promise<Look | undefined> {
  const rows = await processesOn(tty);
  const leader = rows.find(row => row.pid === root);
  if (!leader) return undefined;
  const front = rows.filter(row => row.group === leader.foreground && !row.state.startsWith('Z'));
  const kinds = front.map(row => (row.state.startsWith('R') ? 'works' : (waits[row.channel] ?? 'works')));
  return {
    foreground: front.map(({ pid, command }) => ({
      pid,
      name: nameOf(command),
      command: command.slice(0, COMMAND_WIDTH),
    })),
    isRootInFront: front.some(row => row.pid === root),
    wait: (['reads', 'polls'] as const).find(kind => kinds.includes(kind)) ?? 'works',
    // Nothing tells.
    isTimed: kinds.includes('polls') && !kinds.includes('reads'),
    modes: await ttyModes(tty),
  };
}

async function processesOn(tty: string) {
  const fields = 'pid=,pgid=,tpgid=,stat=,wchan=,command=';
  const { stdout } = await promisify(execFile)('ps', ['-t', tty.replace(/^\/dev\//, ''), '-o', fields]).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match) return [];
    const [, pid, group, foreground, state = '', channel = '', command = ''] = match;
    return [{ pid: Number(pid), group: Number(group), foreground: Number(foreground), state, channel, command }];
  });
}

function nameOf(command: string): string {
  return command.split(' ')[0]?.split('/').pop() ?? '';
}
