import { descendants, listeningPorts, lookInProc } from './proc';
import { lookByPs } from './ps';

/** How a process stands to a terminal: waiting for its input alone; for that and other things; asleep, but its reason is hidden from us; anything else. */
export type TtyWait = 'reads' | 'polls' | 'hidden' | 'works';

export interface TtyModes {
  /** Input comes in lines (ICANON). */
  readonly isCanonical: boolean;
  readonly hasEcho: boolean;
}

export interface ForegroundProcess {
  readonly pid: number;
  /** Of its executable, at most 15 characters on Linux. */
  readonly name: string;
  /** With its arguments, shortened. */
  readonly command: string;
}

/** What the kernel says of a terminal at one moment. */
export interface Look {
  /** The foreground process group, ancestors first. */
  readonly foreground: readonly ForegroundProcess[];
  /** The session's own process is in it. */
  readonly isRootInFront: boolean;
  readonly wait: TtyWait;
  /** The wait has a time limit: there is something else that the program does. */
  readonly isTimed: boolean;
  /** Undefined where they cannot be read. */
  readonly modes: TtyModes | undefined;
}

/** Asks the kernel about the terminal `tty` (a path), whose session leader is `root`. Undefined where the kernel cannot be asked, or the process has gone. */
export async function lookAt(root: number, tty: string): Promise<Look | undefined> {
  switch (process.platform) {
    case 'linux':
      return lookInProc(root, tty);
    case 'darwin':
      return lookByPs(root, tty);
    default:
      return undefined;
  }
}

/** The TCP ports on which `root` and its descendants listen, in ascending order. Nothing where the kernel cannot be asked. */
export function portsOf(root: number): number[] {
  return process.platform === 'linux' ? listeningPorts(descendants(root).map(one => one.pid)) : [];
}
