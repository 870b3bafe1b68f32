import { type Owner, ownerKey } from './owner';

/** How far each reader has read a log, by absolute offset: what one has seen says nothing about another. */
export class Readers {
  private readonly offsets = new Map<string, number>();

  /** 0 for a reader that has read nothing yet. */
  get(reader: Owner): number {
    return this.offsets.get(ownerKey(reader)) ?? 0;
  }

  set(reader: Owner, offset: number): void {
    this.offsets.set(ownerKey(reader), offset);
  }
}
