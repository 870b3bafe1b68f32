/**
 * What a piece of terminal output is, by ECMA-48 5.4–5.6 and the xterm control sequences:
 * `text` (printable characters and single control characters), a complete `csi`, `osc`, `dcs`, `string` (APC, PM, SOS) or other
 * `esc` sequence, or `broken`: an unfinished sequence that a real terminal would throw away.
 */
export type TokenKind = 'text' | 'csi' | 'osc' | 'dcs' | 'string' | 'esc' | 'broken';

/** Receives the tokens of a stream in order. The lengths of all tokens add up to the length of the input. */
export type TokenSink = (kind: TokenKind, bytes: Uint8Array) => void;

const BEL = 0x07;
const LF = 0x0a;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;

/** No sequence in use is longer but inline images; what is longer is handed on as `broken` in pieces of this size (bytes). */
const MAX_SEQUENCE = 1 << 20;

type State = 'ground' | 'escape' | 'csi' | 'osc' | 'osc-escape' | 'string' | 'string-escape';

const stringKinds: Readonly<Record<number, TokenKind>> = { 80: 'dcs', 95: 'string', 94: 'string', 88: 'string' };

/**
 * Splits a byte stream into text and control sequences, whichever way the stream is cut into chunks.
 * A sequence that was split over chunks is delivered whole, once its last byte is there.
 */
export class Tokenizer {
  private state: State = 'ground';
  private kind: TokenKind = 'text';
  /** The beginning of a sequence whose end has not come yet. */
  private held: Uint8Array[] = [];
  private heldLength = 0;

  /** Bytes taken in but not yet handed to the sink. */
  get pending(): number {
    return this.heldLength;
  }

  push(chunk: Uint8Array, sink: TokenSink): void {
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.state === 'ground') {
        const found = chunk.indexOf(ESC, at);
        const end = found < 0 ? chunk.length : found;
        if (end > start) sink('text', chunk.subarray(start, end));
        start = end;
        at = end + 1;
        if (found >= 0) this.state = 'escape';
        continue;
      }
      const verdict = this.step(chunk[at] ?? 0);
      if (verdict === 'more') {
        at++;
        continue;
      }
      if (verdict === 'restart') {
        this.restart(chunk.subarray(start, at), sink);
        start = at;
        continue;
      }
      // `again`: the byte does not belong to the sequence and is looked at once more from the ground state.
      const end = verdict === 'again' ? at : at + 1;
      this.emit(verdict === 'done' ? this.kind : 'broken', chunk.subarray(start, end), sink);
      start = end;
      at = end;
    }
    if (this.state !== 'ground' && start < chunk.length) this.hold(chunk.subarray(start), sink);
  }

  /** One byte inside a sequence. */
  private step(byte: number): 'more' | 'done' | 'broken' | 'again' | 'restart' {
    if (byte === CAN || byte === SUB) return 'broken';
    switch (this.state) {
      case 'escape':
        return this.stepEscape(byte);
      case 'csi':
        if (byte === ESC) return 'again';
        return byte >= 0x40 && byte <= 0x7e ? 'done' : 'more';
      case 'osc':
        // No OSC in use holds a line feed; one that does was never finished, and must not swallow the text after it.
        if (byte === LF) return 'again';
        if (byte === BEL) return 'done';
        if (byte === ESC) this.state = 'osc-escape';
        return 'more';
      case 'string':
        if (byte === ESC) this.state = 'string-escape';
        return 'more';
      default:
        // ESC \ is the string terminator; any other ESC aborts the string and begins a sequence of its own.
        return byte === 0x5c ? 'done' : 'restart';
    }
  }

  private stepEscape(byte: number): 'more' | 'done' | 'again' {
    if (byte === 0x5b) return this.enter('csi', 'csi');
    if (byte === 0x5d) return this.enter('osc', 'osc');
    const string = stringKinds[byte];
    if (string) return this.enter('string', string);
    if (byte === ESC) return 'again';
    // Intermediate bytes, as in ESC ( B.
    if (byte >= 0x20 && byte <= 0x2f) return 'more';
    this.kind = 'esc';
    return 'done';
  }

  private enter(state: State, kind: TokenKind): 'more' {
    this.state = state;
    this.kind = kind;
    return 'more';
  }

  private emit(kind: TokenKind, tail: Uint8Array, sink: TokenSink): void {
    const bytes = this.heldLength === 0 ? tail : Buffer.concat([...this.held, tail]);
    this.held = [];
    this.heldLength = 0;
    this.state = 'ground';
    if (bytes.length > 0) sink(kind, bytes);
  }

  /** Ends a string at an ESC that was already taken in, and goes on as after that ESC. */
  private restart(tail: Uint8Array, sink: TokenSink): void {
    const bytes = Buffer.concat([...this.held, tail]);
    this.heldLength = 0;
    this.emit('broken', bytes.subarray(0, -1), sink);
    this.held = [bytes.subarray(-1)];
    this.heldLength = 1;
    this.state = 'escape';
  }

  private hold(bytes: Uint8Array, sink: TokenSink): void {
    this.held.push(bytes.slice());
    this.heldLength += bytes.length;
    if (this.heldLength < MAX_SEQUENCE) return;
    const state = this.state;
    this.emit('broken', new Uint8Array(0), sink);
    this.state = state;
    this.kind = 'broken';
  }
}

/** The payload of an OSC token: what stands between `ESC ]` and its terminator, decoded as UTF-8. */
export function oscPayload(bytes: Uint8Array): string {
  const end = bytes[bytes.length - 1] === BEL ? bytes.length - 1 : bytes.length - 2;
  return decodeUtf8(bytes.subarray(2, end));
}

/** Decodes UTF-8; what is not UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
