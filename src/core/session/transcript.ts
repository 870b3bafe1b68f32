import { randomUUID } from 'node:crypto';
import { FeedChannel } from '../channel/feedChannel';
import { escapeMark } from '../shell/marks';
import { shellTraits } from '../shell/shells';
import { defaultRules } from './keyboard';
import { DEFAULT_SIZE } from './openShell';
import type { Owner } from './owner';
import { newSessionId, Session } from './session';

/** Characters of a command that are shown at most. */
const MAX_SHOWN = 4000;
const LF = 0x0a;
const CR = 0x0d;

/** Whatever a command's output has left behind: a sequence without an end (CAN), modes (DECSTR, mouse, paste, alternate screen), colours. */
const RESET = '\x18\x1b[?1047l\x1b[!p\x1b[?1000;1002;1003;1004;1006;2004l\x1b[?25h\x1b[0m';

/** One command in a transcript. */
export interface TranscriptEntry {
  /** What it prints, with bare line feeds, for it has no tty. */
  output(bytes: Uint8Array): void;
  /** How it ended, in a few words. `exitCode` is undefined when it had none. */
  end(how: string, exitCode: number | undefined): void;
}

/**
 * What a person sees of the commands that have no terminal: a session that nobody types into, in which each stands with its output and its end, one
 * after the other.
 */
export class Transcript {
  readonly session: Session;
  private readonly channel = new FeedChannel();
  private readonly nonce = randomUUID();
  isIdle = true;

  constructor(owner: Owner, cwd: string, logLimit: number) {
    this.session = new Session({
      id: newSessionId(),
      kind: 'transcript',
      owner,
      number: undefined,
      shell: '',
      traits: shellTraits('other'),
      integration: 'full',
      channel: this.channel,
      nonce: this.nonce,
      cwd,
      logLimit,
      asksKernel: false,
      rules: { ...defaultRules },
      ...DEFAULT_SIZE,
    });
    this.say(this.mark('A') + this.mark('B'));
  }

  /** Only while it is idle. */
  begin(command: string, cwd: string): TranscriptEntry {
    this.isIdle = false;
    this.say(
      `${this.mark(`P;Cwd=${escapeMark(cwd)}`)}\x1b[2m${visible(cwd)} $\x1b[22m ${visible(command)}\r\n` +
        `${this.mark(`E;${escapeMark(command)}`)}${this.mark('C')}`,
    );
    return {
      output: bytes => this.channel.feed(withReturns(bytes)),
      end: (how, exitCode) => this.end(how, exitCode),
    };
  }

  private end(how: string, exitCode: number | undefined): void {
    this.isIdle = true;
    this.say(
      `${RESET}${this.mark(`D;${exitCode ?? ''}`)}\r\n\x1b[2m${visible(how)}\x1b[22m\r\n\r\n${this.mark('A')}${this.mark('B')}`,
    );
  }

  private mark(fields: string): string {
    return `\x1b]633;${fields};${this.nonce}\x07`;
  }

  private say(text: string): void {
    this.channel.feed(Buffer.from(text));
  }
}

/** Text for the screen: control characters in caret notation, so that none acts. */
function visible(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
  return shown
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, char =>
      char === '\x7f' ? '^?' : `^${String.fromCharCode(char.charCodeAt(0) + 64)}`,
    )
    .replaceAll('\n', '\r\n');
}

/** As a tty's ONLCR does. */
function withReturns(bytes: Uint8Array): Uint8Array {
  let lines = 0;
  for (const byte of bytes) if (byte === LF) lines++;
  if (lines === 0) return bytes;
  const out = new Uint8Array(bytes.length + lines);
  let at = 0;
  for (const byte of bytes) {
    if (byte === LF) out[at++] = CR;
    out[at++] = byte;
  }
  return out;
}
