import { describe, expect, it } from 'vitest';
import type { Owner } from '../../../src/core/session/owner';
import { Readers } from '../../../src/core/session/readers';

const reader = (id: string): Owner => ({ kind: 'mcp', id, label: id });

describe('looks of readers', () => {
  it('tell what has changed since the same reader’s last look', () => {
    const readers = new Readers();
    expect(readers.look(reader('a'), ['one', 'two', 'three'])).toBeUndefined();
    expect(readers.look(reader('a'), ['one', '2', 'three'])).toEqual([1]);
    expect(readers.look(reader('b'), ['one', '2', 'three'])).toBeUndefined();
    expect(readers.look(reader('a'), ['one', '2', 'three'])).toEqual([]);
    expect(readers.look(reader('a'), ['1', '2', 'three', ''])).toEqual([0, 3]);
  });

  it('are kept of those who looked last', () => {
    const readers = new Readers();
    readers.look(reader('a'), ['one']);
    for (let other = 0; other < 31; other++) readers.look(reader(`${other}`), ['one']);
    expect(readers.look(reader('a'), ['one'])).toEqual([]);
    for (let other = 0; other < 32; other++) readers.look(reader(`${other}`), ['one']);
    expect(readers.look(reader('a'), ['one'])).toBeUndefined();
  });
});
