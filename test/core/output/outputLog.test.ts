import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputLog } from '../../../src/core/output/outputLog';

const numbered = (from: number, length: number) => Buffer.from(Array.from({ length }, (_, i) => (from + i) % 251));

describe('OutputLog', () => {
  it('gives back any range of what was written, however it was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(90_000), { maxLength: 6 }), fc.nat(300_000), fc.nat(300_000), (sizes, from, to) => {
        const log = new OutputLog(10_000_000);
        for (const size of sizes) log.append(numbered(log.end, size));
        const end = Math.min(to, log.end);
        const expected = end > from ? numbered(from, end - from) : Buffer.alloc(0);
        expect(Buffer.compare(Buffer.from(log.read(from, to).bytes), expected)).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps at least its limit and announces exactly what is missing', () => {
    const log = new OutputLog(200_000);
    for (let i = 0; i < 100; i++) log.append(numbered(log.end, 10_000));
    expect(log.end).toBe(1_000_000);
    expect(log.end - log.start).toBeGreaterThanOrEqual(200_000);
    expect(log.end - log.start).toBeLessThan(400_000);
    const { bytes, missing } = log.read(100, log.end);
    expect(missing).toBe(log.start - 100);
    expect(missing + bytes.length).toBe(log.end - 100);
    expect(Buffer.from(bytes).equals(numbered(log.start, bytes.length))).toBe(true);
    expect(log.read(0, 50)).toEqual({ bytes: Buffer.alloc(0), missing: 50 });
  });

  it('finds a byte across segments', () => {
    const log = new OutputLog(1_000_000);
    log.append(Buffer.alloc(150_000, 0x61));
    log.append(Buffer.from('\n'));
    expect(log.indexOf(0x0a, 10)).toBe(150_000);
    expect(log.indexOf(0x0a, 10, 150_000)).toBeUndefined();
  });
});
