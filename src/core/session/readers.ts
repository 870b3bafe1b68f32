import { type Owner, ownerKey } from './owner';

/** Readers whose last look at the screen is kept. */
const MAX_LOOKS = 32;

/** How far each reader has read a log, by absolute offset, and what it saw of the screen: what one has seen says nothing about another. */
export class Readers {
  private readonly offsets = new Map<string, number>();
  /** The latest look is the last. */
  private readonly looks = new Map<string, readonly string[]>();

  /** 0 for a reader that has read nothing yet. */
  get(reader: Owner): number {
    return this.offsets.get(ownerKey(reader)) ?? 0;
  }

  set(reader: Owner, offset: number): void {
    this.offsets.set(ownerKey(reader), offset);
  }

  /** The reader sees the screen, whose rows have these fingerprints. Returns which rows (from 0) are not as it last saw them; undefined at its first look. */
  look(reader: Owner, rows: readonly string[]): number[] | undefined {
    const key = ownerKey(reader);
    const before = this.looks.get(key);
    this.looks.delete(key);
    this.looks.set(key, rows);
    for (const oldest of [...this.looks.keys()].slice(0, -MAX_LOOKS)) this.looks.delete(oldest);
    return before && [...rows.keys()].filter(row => rows[row] !== before[row]);
  }
}
