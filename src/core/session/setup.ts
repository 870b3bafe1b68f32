import { join } from 'node:path';
import type { SessionSetup } from './openShell';

/** Output kept per session, in bytes. */
const LOG_LIMIT = 8 * 1024 * 1024;

/** The set-up of a process that hosts sessions; `root` is the folder that holds media/. */
export function sessionSetup(root: string, baseEnv: NodeJS.ProcessEnv): SessionSetup {
  return { scripts: join(root, 'media', 'shell'), baseEnv, logLimit: LOG_LIMIT };
}
