import { describe, expect, it } from 'vitest';
import { LineScanner } from '../../../src/core/output/lineScanner';

describe('LineScanner', () => {
  it('gives finished lines, and the unfinished one at last, as plain text', () => {
    const scanner = new LineScanner();
    expect(scanner.push(Buffer.from('\x1b[32mone\x1b[m\r\ntw'))).toEqual(['one', 'tw']);
    expect(scanner.push(Buffer.from('o\r\n10%\r20%'))).toEqual(['two', '20%']);
    expect(scanner.push(Buffer.from('\r100%\r\n'))).toEqual(['100%']);
    expect(scanner.push(Buffer.from('1\r2\r3\rlast\r\n'))).toEqual(['last']);
  });

  it('joins a character and a sequence that were cut', () => {
    const scanner = new LineScanner();
    scanner.push(Buffer.from([0xc3]));
    expect(scanner.push(Buffer.from([0xb8, 0x1b]))).toEqual(['ø']);
    expect(scanner.push(Buffer.from('[0m!\r\n'))).toEqual(['ø!']);
  });

  it('holds no more of a line without end than it must', () => {
    const scanner = new LineScanner();
    for (let i = 0; i < 100; i++) scanner.push(Buffer.alloc(10_000, 0x78));
    expect(scanner.push(Buffer.from('y'))[0]?.length).toBeLessThanOrEqual(64 * 1024);
  });
});
