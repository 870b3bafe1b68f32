import type { Look } from './look';

/** What the program in front of a terminal does, as far as a person at the keyboard is concerned. */
export type Activity = 'running' | 'input' | 'secret' | 'pager' | 'fullscreen';

/** How it is known: from the kernel, or only guessed from the text on the screen. */
export interface Judgement {
  readonly activity: Activity;
  readonly confidence: 'kernel' | 'text';
}

/** What the screen says. */
export interface ScreenFacts {
  readonly isAlternate: boolean;
  /** The program has put the cursor to absolute places since it was started. */
  readonly isAddressed: boolean;
  readonly isCursorHidden: boolean;
  /** From 0. */
  readonly cursorColumn: number;
  /** The text in the cursor's line, up to the cursor. */
  readonly beforeCursor: string;
  /** The rest of that line. */
  readonly afterCursor: string;
}

const pagers = new Set(['less', 'more', 'most', 'pg', 'pager', 'lv', 'ov', 'moar']);
/** Programs behind which another system's terminal is: what waits there the kernel here does not know. */
const relays = new Set([
  'ssh',
  'mosh-client',
  'telnet',
  'docker',
  'podman',
  'kubectl',
  'nsenter',
  'lxc',
  'tmux: client',
  'screen',
]);

const asksForSecret = /(?:pass ?(?:word|phrase|code)|\bPIN\b|\bOTP\b|verification code)[^:?]*[:?] *$/i;
const asks = /(?:\[[yn]\/[yn]\]|\([yn]\/[yn]\)|\(yes\/no[^)]*\)|[?:>]) *$/i;
const pagerPrompt = /^(?::|\(END\)|--More--.*|.* \(END\)|lines \d+-\d+.*)$/i;

/** Puts together what the kernel and the screen say. Without a look, or behind a relay, only the text is left. */
export function judge(look: Look | undefined, facts: ScreenFacts): Judgement {
  if (!look || look.foreground.some(one => relays.has(one.name)))
    return { activity: byText(facts), confidence: 'text' };
  return { activity: byKernel(look, facts), confidence: 'kernel' };
}

function byKernel({ foreground, wait, modes }: Look, facts: ScreenFacts): Activity {
  const isWaiting = wait !== 'works';
  if (isWaiting && modes?.isCanonical !== true && foreground.some(one => pagers.has(one.name))) return 'pager';
  if (facts.isAlternate) return 'fullscreen';
  if (!isWaiting || !modes) return 'running';
  if (asksForSecret.test(facts.beforeCursor)) return 'secret';
  if (modes.isCanonical) {
    if (!modes.hasEcho) return 'secret';
    // An event loop also waits for its other business; with an unfinished line it asks for something.
    if (wait === 'reads') return 'input';
    return wait === 'polls' && facts.cursorColumn > 0 ? 'input' : 'running';
  }
  if (facts.isAddressed) return 'fullscreen';
  if (wait === 'reads') return 'input';
  return facts.cursorColumn > 0 || facts.isCursorHidden ? 'input' : 'running';
}

function byText(facts: ScreenFacts): Activity {
  const line = facts.beforeCursor;
  if (pagerPrompt.test(line.trim()) && line.trim() !== '') return 'pager';
  if (facts.isAlternate) return 'fullscreen';
  if (asksForSecret.test(line)) return 'secret';
  return facts.cursorColumn > 0 && asks.test(line) ? 'input' : 'running';
}

/** The program in front with what started it: `node (npm run dev → node vite)`. */
export function describeForeground({ foreground }: Look): string | undefined {
  const last = foreground[foreground.length - 1];
  if (!last) return undefined;
  if (foreground.length === 1) return last.command;
  return `${last.name} (${foreground.map(one => one.command).join(' → ')})`;
}
