import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from '../../../src/core/output/excerpt';

const options = { budget: 6500, maxLines: 0, howToRead: (from: number) => `READ from ${from}` };
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

describe('excerpt', () => {
  it('leaves what fits as it is', () => {
    expect(excerpt(['a', '', 'b'], options)).toEqual({ text: 'a\n\nb', totalLines: 3, leftOut: undefined });
  });

  it('keeps the beginning and the end, and says what is between and how to get it', () => {
    const { text, leftOut, totalLines } = excerpt(lines(20_000), options);
    expect(totalLines).toBe(20_000);
    expect(text.startsWith('line 1\nline 2\n')).toBe(true);
    expect(text.endsWith('\nline 20000')).toBe(true);
    const note = text.split('\n').find(line => line.startsWith('…'));
    expect(note).toMatch(/^… [\d,]+ lines \([\d,]+ characters\) left out: READ from \d+$/);
    expect(note).toContain(`READ from ${leftOut?.from}`);
  });

  it('counts exactly: what is shown and what is left out are all the lines', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 400 }), fc.nat(500), (given, maxLines) => {
        const input = given.map(line => line.replace(/\n|…/g, ' '));
        const { text, leftOut } = excerpt(input, { ...options, budget: 3000, maxLines });
        if (!leftOut) {
          expect(text).toBe(input.join('\n'));
          return;
        }
        const shown = text.split('\n');
        const note = shown.findIndex(line => line.startsWith('…'));
        expect(shown.length - 1 + leftOut.lines).toBe(input.length);
        expect(leftOut.from).toBe(note + 1);
        expect(leftOut.to - leftOut.from + 1).toBe(leftOut.lines);
        expect(shown.slice(0, note)).toEqual(input.slice(0, note));
        expect(JSON.stringify(text).length).toBeLessThanOrEqual(3000);
      }),
    );
  });

  it('cuts a very long line in the middle and says by how much', () => {
    const { text } = excerpt([`<${'x'.repeat(50_000)}>`], options);
    expect(text.startsWith('<xxx')).toBe(true);
    expect(text.endsWith('xxx>')).toBe(true);
    const [, left = ''] = / … ([\d,]+) characters of this line left out … /.exec(text) ?? [];
    const shown = text.replace(/ … .* … /, '').length;
    expect(Number(left.replaceAll(',', '')) + shown).toBe(50_002);
  });

  it('returns no more lines than asked for', () => {
    const { text, leftOut } = excerpt(lines(100), { ...options, maxLines: 10 });
    expect(text.split('\n')).toHaveLength(11);
    expect(leftOut?.lines).toBe(90);
  });

  it('measures as JSON, where a quote counts twice', () => {
    const { text } = excerpt(
      Array.from({ length: 500 }, () => '"'.repeat(20)),
      options,
    );
    expect(JSON.stringify(text).length).toBeLessThanOrEqual(6500);
  });
});
