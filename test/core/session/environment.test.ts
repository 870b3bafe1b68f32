import { describe, expect, it } from 'vitest';
import { sessionEnvironment } from '../../../src/core/session/environment';

describe.skipIf(process.platform === 'win32')('a session’s locale', () => {
  const localeOf = (base: NodeJS.ProcessEnv, requested = {}) =>
    sessionEnvironment(base, requested, 't-1').env['LC_CTYPE'];

  it('is one with UTF-8 where there is none', () => {
    expect(localeOf({})).toMatch(/^(C\.)?UTF-8$/);
    expect(localeOf({ LANG: '' })).toMatch(/UTF-8/);
  });

  it('is the user’s or the caller’s where there is one', () => {
    expect(localeOf({ LANG: 'C' })).toBeUndefined();
    expect(localeOf({ LC_ALL: 'de_DE.ISO-8859-1' })).toBeUndefined();
    expect(localeOf({}, { LC_CTYPE: 'C' })).toBe('C');
  });
});
