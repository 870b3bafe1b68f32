import { readFileSync, writeFileSync } from 'node:fs';

/** The p-th percentile (0…100) of some numbers. */
export function percentile(numbers: readonly number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
}

export const median = (numbers: readonly number[]): number => percentile(numbers, 50);

/** Times of `count` runs of `work`, in ms, after `warmUp` runs that do not count. */
export async function times(count: number, work: () => Promise<unknown>, warmUp = 5): Promise<number[]> {
  for (let run = 0; run < warmUp; run++) await work();
  const found: number[] = [];
  for (let run = 0; run < count; run++) {
    const started = performance.now();
    await work();
    found.push(performance.now() - started);
  }
  return found;
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  return statusKb(pid, 'VmRSS') / 1024;
}

/** Starts anew what `peakMb` measures (proc(5), clear_refs). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Highest resident memory of a process since `resetPeak`, in MB. */
export function peakMb(pid: number): number {
  return statusKb(pid, 'VmHWM') / 1024;
}

function statusKb(pid: number, field: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find(one => one.startsWith(`${field}:`));
  return Number(line?.replace(/\D/g, ''));
}
