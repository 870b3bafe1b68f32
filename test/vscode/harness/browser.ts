import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../machine/packages.mjs';

export interface Browser {
  readonly page: Page;
  close(): Promise<void>;
}

const flags = [
  '--no-sandbox', // as root, in a container
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A window of its own profile. VS Code keeps state in IndexedDB, which only a persistent profile has. */
export async function openBrowser(profile: string, origin: string): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium or Chrome; `npm test` installs one or says how to get it.');
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: flags,
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce', // spinners cost a core where there is no GPU
  });
  context.setDefaultTimeout(15_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = context.pages()[0] ?? (await context.newPage());
  return { page, close: () => context.close() };
}
