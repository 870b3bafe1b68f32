import { decodeUtf8 } from '../screen/tokenizer';
import { renderText } from './render';

/** What a program that draws without a terminal may take its size to be. */
const SIZE = { cols: 120, rows: 30 } as const;
const LF = 0x0a;

/**
 * The text of output that went through a pipe: its lines, and whether the last one has a line feed. Plain text comes out to the character, with
 * trailing blanks and tabs; what has control characters in it, as it looks. Bytes that are not UTF-8 come out as U+FFFD.
 */
export async function pipedText(bytes: Uint8Array): Promise<{ lines: readonly string[]; endsLine: boolean }> {
  const text = decodeUtf8(bytes).replace(/\r\n/g, '\n');
  const endsLine = text.endsWith('\n');
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return { lines: await renderText(asTerminal(bytes), SIZE), endsLine };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines, endsLine };
}

/** A terminal goes to the first column with each line feed (ONLCR); in a pipe nobody has put the carriage return there. */
function asTerminal(bytes: Uint8Array): Uint8Array {
  const count = bytes.reduce((sum, byte) => sum + (byte === LF ? 1 : 0), 0);
  const out = new Uint8Array(bytes.length + count);
  let to = 0;
  for (const byte of bytes) {
    if (byte === LF) out[to++] = 0x0d;
    out[to++] = byte;
  }
  return out;
}
