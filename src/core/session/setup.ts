import { join } from 'node:path';
import { defaultRules } from './keyboard';
import type { SessionSetup } from './openShell';

/** Output kept per session, in bytes. */
const LOG_LIMIT = 8 * 1024 * 1024;

/**
 * The set-up of a process that hosts sessions; `root` is the folder that holds media/. GLASS_TTY_STATE=text turns the kernel's answers off, to see what the text
 * alone would tell.
 */
export function sessionSetup(root: string, baseEnv: NodeJS.ProcessEnv): SessionSetup {
  const asksKernel = baseEnv['GLASS_TTY_STATE'] !== 'text';
  const media = join(root, 'media');
  return {
    scripts: join(media, 'shell'),
    font: join(media, 'font', 'glyphs.br'),
    baseEnv,
    logLimit: LOG_LIMIT,
    asksKernel,
    rules: { ...defaultRules },
  };
}
