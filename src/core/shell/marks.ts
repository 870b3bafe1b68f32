import { decodeUtf8, oscPayload, Tokenizer, type TokenKind } from '../screen/tokenizer';

/**
 * A shell-integration mark, as the scripts in media/shell print it: OSC 633 ; letter ; … ; nonce. `from` and `to` are the
 * offsets of the mark itself in the stream.
 * The letters are those of VS Code's OSC 633: A and B around the prompt, E the command line, C before its output, D after it,
 * F and G around a continuation prompt, P a property.
 */
export type Mark = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'promptStart' | 'promptEnd' | 'outputStart' | 'continuationStart' | 'continuationEnd' }
  | { readonly kind: 'commandLine'; readonly text: string }
  | { readonly kind: 'commandEnd'; readonly exitCode: number | undefined }
  | { readonly kind: 'property'; readonly name: string; readonly value: string }
);

const BRACKETED_PASTE_ON = '\x1b[?2004h';

const plainKinds = {
  A: 'promptStart',
  B: 'promptEnd',
  C: 'outputStart',
  F: 'continuationStart',
  G: 'continuationEnd',
} as const;

/**
 * Finds the marks of one session in its output. Only those that end with the session's secret nonce count: any program can print
 * an OSC 633, and none of them may be able to end a command or forge an exit code.
 */
export class MarkParser {
  private readonly tokenizer = new Tokenizer();
  private readonly suffix: string;
  private offset = 0;
  /** The program at the other end has asked for bracketed paste (DECSET 2004) at least once. */
  sawBracketedPaste = false;

  constructor(nonce: string) {
    this.suffix = `;${nonce}`;
  }

  /** Takes in the next bytes of the stream and reports each mark that ends in them. */
  push(chunk: Uint8Array, onMark: (mark: Mark) => void): void {
    this.tokenizer.push(chunk, (kind: TokenKind, bytes) => {
      const from = this.offset;
      this.offset += bytes.length;
      if (kind === 'csi' && bytes.length === BRACKETED_PASTE_ON.length) {
        this.sawBracketedPaste ||= decodeUtf8(bytes) === BRACKETED_PASTE_ON;
      }
      if (kind !== 'osc' || !isOsc633(bytes)) return;
      const mark = parseMark(oscPayload(bytes), this.suffix, from, this.offset);
      if (mark) onMark(mark);
    });
  }
}

/** `ESC ] 6 3 3 ;` */
function isOsc633(bytes: Uint8Array): boolean {
  return bytes[2] === 0x36 && bytes[3] === 0x33 && bytes[4] === 0x33 && bytes[5] === 0x3b;
}

function parseMark(payload: string, suffix: string, from: number, to: number): Mark | undefined {
  if (!payload.endsWith(suffix)) return undefined;
  const [letter = '', ...fields] = payload.slice('633;'.length, -suffix.length).split(';');
  const value = fields.join(';');
  if (letter in plainKinds) return { kind: plainKinds[letter as keyof typeof plainKinds], from, to };
  if (letter === 'E') return { kind: 'commandLine', text: unescapeMark(value), from, to };
  if (letter === 'D') {
    const code = Number.parseInt(value, 10);
    return { kind: 'commandEnd', exitCode: Number.isNaN(code) ? undefined : code, from, to };
  }
  const equals = value.indexOf('=');
  if (letter !== 'P' || equals < 0) return undefined;
  return { kind: 'property', name: value.slice(0, equals), value: unescapeMark(value.slice(equals + 1)), from, to };
}

/** Undoes the escaping of OSC 633 values: `\\` for a backslash, `\xHH` for a byte below 0x21, `;` or DEL. */
export function unescapeMark(value: string): string {
  return value.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Escapes a value for an OSC 633 sequence. */
export function escapeMark(value: string): string {
  return value.replace(/[\\;\x00-\x20\x7f]/g, char =>
    char === '\\' ? '\\\\' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
