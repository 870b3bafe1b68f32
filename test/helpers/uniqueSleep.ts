let count = 0;

/** A `sleep` command that no other test, nor another run of the tests, has in the process table. */
export function uniqueSleep(): string {
  count++;
  return `sleep ${process.pid}${String(count).padStart(3, '0')}`;
}
