/**
 * An error with a stable code for programs and a sentence for the reader, often a model, that tells what to do next.
 * `details` are further facts for the structured form of a result.
 */
export class GlassError extends Error {
  override readonly name = 'GlassError';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** The `code` of a Node system error such as `ENOENT`; undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
