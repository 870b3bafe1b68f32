import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directoryOf } from '../../src/tools/directory';

it.each([
  [undefined, '/base'],
  ['/abs/./x', '/abs/x'],
  ['sub/dir', '/base/sub/dir'],
  ['..', '/'],
  ['~', homedir()],
  ['~/code', join(homedir(), 'code')],
  ['~user', '/base/~user'],
])('takes %j for %s', (path, directory) => {
  expect(directoryOf(path, '/base')).toBe(directory);
});
