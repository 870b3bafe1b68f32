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
  /** The program has put the cursor to places other than the corner since it was started. */
  readonly isAddressed: boolean;
  /** Arrow keys send what applications ask for (DECCKM), as curses does. */
  readonly hasApplicationKeys: boolean;
  readonly isCursorHidden: boolean;
  /** Bracketed paste (DECSET 2004) is on: a line editor is at work. */
  readonly isEditing: boolean;
  /** From 0. */
  readonly cursorColumn: number;
  /** The text in the cursor's line, up to the cursor. */
  readonly beforeCursor: string;
  /** The rest of that line. */
  readonly afterCursor: string;
}

/** Silence (ms) after which a program that only waits for a while is taken to have nothing else to show: spinners turn faster. */
export const SILENT_MS = 200;

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

const secretWords =
  'pass ?(?:word|phrase|code)s?|PIN|OTP|verification code|secret(?: access)? key|(?:api|access) (?:key|token)|auth(?:entication|orization)? token';
/** `Password for 'https://me@host':`, `Enter passphrase (empty for none):`, `New password?` */
const asksForSecret = new RegExp(`\\b(?:${secretWords})\\b(?:'[^']*'|\\.(?! )|[^.:?'])*[:?] *$`, 'i');
/** `Forgot password?` is a question about one. */
const asksAboutSecret =
  /\b(?:do|did|does|change|forgot|has|have|is|remember|reset|save|set|show|use|want)\b.*\? *$|\by(?:es)?\]?\/\[?no?\b/i;
const asksForKey = /\bpress\b.*\b(?:key|enter|return|space)\b/i;
const asks = /(?:[?:>]|[([]\[?y(?:es)?\]?\/\[?no?\]?[)\]]) *$/i;
/** `me@host:~$`, `sh-5.2#`, `$` */
const shellPrompt = /^(?:\[?[\w.-]+@[\w.-]+[^$#%]*|\w*sh[-\d.]*|)[$#%] $/;
const pagerPrompt = /^(?::|\(END\)|--More--.*|.* \(END\)|lines \d+-\d+.*)$/i;

/**
 * Puts together what the kernel and the screen say, which has been silent for `silentMs`. Without a look, or where the program that waits cannot be seen, only
 * the text is left.
 */
export function judge(look: Look | undefined, facts: ScreenFacts, silentMs: number): Judgement {
  const byKernel = look && judgeLook(look, facts, silentMs >= SILENT_MS);
  return byKernel ? { activity: byKernel, confidence: 'kernel' } : { activity: byText(facts), confidence: 'text' };
}

/** Undefined if the kernel does not know. */
function judgeLook(look: Look, facts: ScreenFacts, isSilent: boolean): Activity | undefined {
  const { foreground, wait, modes } = look;
  const isRaw = modes?.isCanonical === false;
  const hasScreen = facts.isAlternate || facts.hasApplicationKeys;
  // less takes the screen before it sets the modes.
  const isPaging = hasScreen || (wait !== 'works' && !modes?.isCanonical);
  if (isPaging && foreground.some(one => pagers.has(one.name))) return 'pager';
  if (isRaw && foreground.some(one => relays.has(one.name))) return undefined;
  // Its agent has a window of its own in the terminal.
  if (isSecret(facts) && foreground.some(one => one.name.startsWith('gpg'))) return 'secret';
  if (facts.isAlternate || (isRaw && isPainting(look, facts))) return 'fullscreen';
  if (wait === 'works') return 'running';
  if (modes?.isCanonical && !modes.hasEcho && !asksForKey.test(facts.beforeCursor)) return 'secret';
  if (wait === 'hidden' || !modes) return undefined;
  if (isSecret(facts)) return 'secret';
  return isAwaited(look, facts, isSilent) ? 'input' : 'running';
}

/** Whether a program has the screen that has not asked for the alternate one. A question may come after what another one has painted. */
function isPainting({ wait, isTimed }: Look, facts: ScreenFacts): boolean {
  const isQuestion = wait === 'reads' && !isTimed && isAsking(facts);
  return (facts.isAddressed || facts.hasApplicationKeys) && !facts.isEditing && !isQuestion;
}

/** Whether the program waits for somebody at the keyboard, of one that waits for the terminal. */
function isAwaited({ wait, isTimed, modes }: Look, facts: ScreenFacts, isSilent: boolean): boolean {
  if (isAsking(facts) || (facts.isEditing && !modes?.isCanonical)) return true;
  // What has a time limit may be a spinner that swallows the keys meanwhile.
  if (isTimed && !isSilent) return false;
  if (wait === 'reads') return true;
  // A server that listens to the keyboard, too, stands in an empty line; in lines, it only asks a question if there is one.
  return modes?.isCanonical === false && (facts.cursorColumn > 0 || facts.isCursorHidden);
}

function isAsking({ cursorColumn, beforeCursor }: ScreenFacts): boolean {
  return cursorColumn > 0 && asks.test(beforeCursor);
}

function isSecret({ beforeCursor }: ScreenFacts): boolean {
  return asksForSecret.test(beforeCursor) && !asksAboutSecret.test(beforeCursor);
}

function byText(facts: ScreenFacts): Activity {
  const line = facts.beforeCursor;
  if (pagerPrompt.test(line.trim()) && line.trim() !== '') return 'pager';
  if (facts.isAlternate || (facts.hasApplicationKeys && !facts.isEditing)) return 'fullscreen';
  if (isSecret(facts)) return 'secret';
  const isAtPrompt = facts.cursorColumn > 0 && (facts.isEditing || shellPrompt.test(line));
  return isAtPrompt || isAsking(facts) ? 'input' : 'running';
}

/** The program in front with what started it: `node (npm run dev → node vite)`. */
export function describeForeground({ foreground }: Look): string | undefined {
  const last = foreground[foreground.length - 1];
  if (!last) return undefined;
  if (foreground.length === 1) return last.command;
  return `${last.name} (${foreground.map(one => one.command).join(' → ')})`;
}
