import { win32 } from 'node:path';
import { shellKind } from './shells';

/** How to start a shell that runs one command line and ends. */
export interface ShellCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are a finished piece of the command line. */
  readonly verbatim: boolean;
}

/** `file` is the absolute path of a shell; any program that is none of the known ones is taken to know `-c`. */
export function shellCommand(file: string, command: string): ShellCommand {
  switch (shellKind(file)) {
    case 'sh':
      return { file, args: [...(/busybox/i.test(win32.basename(file)) ? ['sh'] : []), '-c', command], verbatim: false };
    case 'pwsh':
      return { file, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command], verbatim: false };
    case 'cmd':
      // With /s, cmd takes off the outer quotes and leaves the rest as it is.
      return { file, args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
    case 'node':
      return { file, args: ['-e', command], verbatim: false };
    default:
      return { file, args: ['-c', command], verbatim: false };
  }
}
