import { appendFileSync } from 'node:fs';

/** Where the product writes about itself. Never what a terminal printed, nor what a person typed. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** A logger that hands finished lines to `write`. */
export function lineLogger(write: (line: string) => void): Logger {
  const line = (level: string, message: string) => write(`${new Date().toISOString()} ${level} ${message}\n`);
  return {
    info: message => line('info', message),
    warn: message => line('warn', message),
    error: (message, error) => line('error', error === undefined ? message : `${message}: ${describe(error)}`),
  };
}

/** A logger that appends to `file` (mode 0600). A full disk must not end the host, so a failed write is dropped. */
export function fileLogger(file: string): Logger {
  return lineLogger(text => {
    try {
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      // Nowhere is left to report to.
    }
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
