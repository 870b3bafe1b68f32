/** Where the product writes about itself. Never what a terminal printed, nor what a person typed. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** A logger that hands finished lines to `write`. */
export function lineLogger(write: (line: string) => void): Logger {
  const line = (level: string, message: string) => write(`${new Date().toISOString()} ${level} ${message}\n`);
  return {
    info: message => line('info', message),
    warn: message => line('warn', message),
    error: (message, error) => line('error', error === undefined ? message : `${message}: ${describe(error)}`),
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
