// Builds dist/: `node esbuild.mjs` [--watch | --package]. Also writes what package.json declares from the code (see src/vscode/manifest.ts).
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, context } from 'esbuild';

const flags = new Set(process.argv.slice(2));

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: true,
  sourcesContent: false,
  minify: flags.has('--package'),
  // Names stay readable in a stack trace that a user sends us.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
  outdir: 'dist',
};

// Only dist/extension.js may import vscode; in the others it does not resolve, and the build fails.
const bundles = [
  { ...common, entryPoints: ['src/extension.ts'], external: ['vscode'] },
  { ...common, entryPoints: ['src/host.ts', 'src/cli.ts'], external: ['node-pty'] },
];
const bench = { ...common, entryPoints: { bench: 'test/bench/bench.ts' }, external: ['node-pty'] };

if (flags.has('--watch')) {
  for (const bundle of bundles) await (await context(bundle)).watch();
} else {
  rmSync('dist', { recursive: true, force: true });
  await writeManifest();
  await Promise.all([...bundles, ...(flags.has('--package') ? [] : [bench])].map(build));
  if (flags.has('--package')) packageVsix();
}

/** Runs the generator that package.json's contributions come from. */
async function writeManifest() {
  const outfile = 'dist/manifest.cjs';
  const entryPoints = ['src/vscode/manifest.ts'];
  await build({ ...common, outdir: undefined, outfile, entryPoints, external: ['node-pty'], sourcemap: false });
  createRequire(import.meta.url)(`./${outfile}`).writeManifest(process.cwd());
  rmSync(outfile);
}

/** Writes artifacts/glass-tty.vsix for this machine, or for another one by --target=darwin-arm64 and the like. */
function packageVsix() {
  const wanted = process.argv.find(flag => flag.startsWith('--target='))?.slice('--target='.length);
  const target = wanted ?? `${process.platform}-${process.arch}`;
  const prebuilds = `node_modules/node-pty/prebuilds/${target}`;
  const native = target.startsWith('win32') ? ['*.node', 'conpty/*'] : ['pty.node', 'spawn-helper'];
  if (!existsSync(prebuilds)) throw new Error(`node-pty has no prebuilt binary for ${target}`);
  // npm unpacks it without its run bit, and the VSIX keeps the mode that it has here.
  if (target.startsWith('darwin')) chmodSync(join(prebuilds, 'spawn-helper'), 0o755);
  mkdirSync('artifacts', { recursive: true });
  const ignoreFile = 'artifacts/vscodeignore';
  const ships = native.map(name => `!${prebuilds}/${name}\n`).join('');
  writeFileSync(ignoreFile, readFileSync('.vscodeignore', 'utf8') + ships);
  const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
  const place = ['--target', target, '--ignoreFile', ignoreFile, '--out', 'artifacts/glass-tty.vsix'];
  execFileSync(
    process.execPath,
    [vsce, 'package', ...place, '--allow-missing-repository', '--no-rewrite-relative-links'],
    {
      stdio: 'inherit',
    },
  );
}
