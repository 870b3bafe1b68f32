import { GlassError, messageOf } from '../base/errors';

/** A caller's regular expression. Throws `invalid_pattern`. */
export function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    throw new GlassError(
      'invalid_pattern',
      `${JSON.stringify(pattern)} is not a regular expression: ${messageOf(error)}. Escape special characters by a backslash.`,
    );
  }
}
