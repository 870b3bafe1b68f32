import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';

const artifacts = fileURLToPath(new URL('../../../artifacts/', import.meta.url));

/** The product's, as `npm run package` leaves it. */
export const productVsix = join(artifacts, 'glass-tty.vsix');

/** Packs the probe extension and gives the VSIX. */
export async function packProbe(): Promise<string> {
  mkdirSync(artifacts, { recursive: true });
  const packagePath = join(artifacts, 'probe.vsix');
  const cwd = fileURLToPath(new URL('probe', import.meta.url));
  await createVSIX({ cwd, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  return packagePath;
}
