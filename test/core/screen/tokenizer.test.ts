import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tokenizer } from '../../../src/core/screen/tokenizer';

type Token = readonly [kind: string, text: string];

function tokens(...chunks: (string | Uint8Array)[]): Token[] {
  const tokenizer = new Tokenizer();
  const found: [string, string][] = [];
  for (const chunk of chunks) {
    tokenizer.push(Buffer.from(chunk as string), (kind, bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      const last = found[found.length - 1];
      // Text may come in any number of pieces.
      if (kind === 'text' && last?.[0] === 'text') last[1] += text;
      else found.push([kind, text]);
    });
  }
  return found;
}

describe('Tokenizer', () => {
  it('tells text, CSI, OSC with either terminator, DCS and plain escapes apart', () => {
    expect(tokens('a\x1b[1;31mb\x1b]0;t\x07c\x1b]8;;\x1b\\d\x1bP$qm\x1b\\\x1b(Be\x1b7')).toEqual([
      ['text', 'a'],
      ['csi', '\x1b[1;31m'],
      ['text', 'b'],
      ['osc', '\x1b]0;t\x07'],
      ['text', 'c'],
      ['osc', '\x1b]8;;\x1b\\'],
      ['text', 'd'],
      ['dcs', '\x1bP$qm\x1b\\'],
      ['esc', '\x1b(B'],
      ['text', 'e'],
      ['esc', '\x1b7'],
    ]);
  });

  it('lets no unfinished OSC swallow the lines after it', () => {
    expect(tokens('\x1b]0;never closed\r\nnext line\r\n')).toEqual([
      ['broken', '\x1b]0;never closed\r'],
      ['text', '\nnext line\r\n'],
    ]);
  });

  it('begins a new sequence at an ESC that aborts a string', () => {
    expect(tokens('\x1b]0;x\x1b[31mred')).toEqual([
      ['broken', '\x1b]0;x'],
      ['csi', '\x1b[31m'],
      ['text', 'red'],
    ]);
    expect(tokens('\x1b]0;x\x1b', '[31mred')).toEqual([
      ['broken', '\x1b]0;x'],
      ['csi', '\x1b[31m'],
      ['text', 'red'],
    ]);
  });

  it('ends a sequence at CAN', () => {
    expect(tokens('\x1b[3\x18x')).toEqual([
      ['broken', '\x1b[3\x18'],
      ['text', 'x'],
    ]);
  });

  it('holds no more than a bounded part of an endless string', () => {
    const tokenizer = new Tokenizer();
    let received = 0;
    tokenizer.push(Buffer.from('\x1bPq'), () => {});
    for (let i = 0; i < 64; i++) {
      tokenizer.push(Buffer.alloc(64 * 1024, 0x78), (kind, bytes) => {
        expect(kind).toBe('broken');
        received += bytes.length;
      });
      expect(tokenizer.pending).toBeLessThanOrEqual(1 << 20);
    }
    expect(received).toBeGreaterThan(2 << 20);
  });

  it('gives the same tokens whichever way the stream is cut', () => {
    const alphabet = ['a', '\x1b', '[', ']', '3', ';', 'm', '\x07', '\\', 'P', '\n', '\x18', 'é', '(', 'B'];
    const stream = fc.array(fc.constantFrom(...alphabet), { maxLength: 60 }).map(parts => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(80), { maxLength: 8 }), (bytes, cuts) => {
        const sorted = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = sorted.slice(1).map((to, index) => bytes.subarray(sorted[index], to));
        expect(tokens(...chunks)).toEqual(tokens(bytes));
      }),
      { numRuns: 2000 },
    );
  });
});
