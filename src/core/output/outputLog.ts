/** A range of a log: its bytes, and how many at its beginning are no longer kept. */
export interface LogRange {
  readonly bytes: Uint8Array;
  readonly missing: number;
}

const SEGMENT_BYTES = 64 * 1024;

/**
 * Everything a session has printed, in order, addressed by absolute byte offsets that never change.
 * Keeps at least the last `limit` bytes; older ones are dropped in whole segments, and whoever asks for them is told how many are missing.
 */
export class OutputLog {
  private readonly segments: Uint8Array[] = [];
  private first = 0;
  private length = 0;
  private readonly maxSegments: number;

  constructor(limit: number) {
    this.maxSegments = Math.ceil(limit / SEGMENT_BYTES) + 1;
  }

  /** Offset of the oldest byte that is kept. */
  get start(): number {
    return this.first;
  }

  /** Offset behind the newest byte, which is the number of bytes ever written. */
  get end(): number {
    return this.length;
  }

  /** The range that is kept. */
  get bounds(): { readonly from: number; readonly to: number } {
    return { from: this.first, to: this.length };
  }

  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const within = (this.length - this.first) % SEGMENT_BYTES;
      if (within === 0) this.grow();
      const segment = this.segments[this.segments.length - 1];
      if (!segment) return;
      const count = Math.min(SEGMENT_BYTES - within, bytes.length - done);
      segment.set(bytes.subarray(done, done + count), within);
      done += count;
      this.length += count;
    }
  }

  /** The bytes of [from, to), as far as they exist; they may be a view on the log, whose bytes never change. */
  read(from: number, to: number): LogRange {
    const end = Math.min(to, this.length);
    const begin = Math.min(Math.max(from, this.first), end);
    const pieces: Uint8Array[] = [];
    for (let at = begin; at < end; ) {
      const within = (at - this.first) % SEGMENT_BYTES;
      const count = Math.min(SEGMENT_BYTES - within, end - at);
      const segment = this.segments[Math.floor((at - this.first) / SEGMENT_BYTES)];
      if (segment) pieces.push(segment.subarray(within, within + count));
      at += count;
    }
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    return { bytes, missing: Math.max(0, Math.min(this.first, to) - from) };
  }

  /** Offset of the first `byte` in [from, to), or undefined. Bytes that are no longer kept are not found. */
  indexOf(byte: number, from: number, to = this.length): number | undefined {
    const end = Math.min(to, this.length);
    for (let at = Math.max(from, this.first); at < end; ) {
      const within = (at - this.first) % SEGMENT_BYTES;
      const segment = this.segments[Math.floor((at - this.first) / SEGMENT_BYTES)];
      const count = Math.min(SEGMENT_BYTES - within, end - at);
      const found = segment?.subarray(within, within + count).indexOf(byte) ?? -1;
      if (found >= 0) return at + found;
      at += count;
    }
    return undefined;
  }

  private grow(): void {
    const oldest = this.segments.length >= this.maxSegments ? this.segments.shift() : undefined;
    if (oldest) this.first += SEGMENT_BYTES;
    // A fresh one even when one was dropped: a reader may still hold a view on the old one.
    this.segments.push(new Uint8Array(SEGMENT_BYTES));
  }
}
