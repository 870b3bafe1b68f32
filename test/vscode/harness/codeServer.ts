import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CodeServer, installExtension, linkExtension, startCodeServer } from '../../machine/vscode.mjs';
import type { Scratch } from './scratch';

const harnessExtension = fileURLToPath(new URL('extension', import.meta.url));

export type Settings = Readonly<Record<string, unknown>>;

const defaultSettings: Settings = {
  'chat.agent.maxRequests': 500,
  'chat.mcp.access': 'all',
  'chat.mcp.autostart': 'newAndOutdated',
  // It would ask a model, and the scripted one has no opinion.
  'chat.tools.riskAssessment.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // The DOM renderer: a terminal's text can be read from the page, and software rendering does not cost a core.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
};

export interface ServerOptions {
  readonly vsix?: string | undefined;
  readonly settings?: Settings | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A code-server of its own, with the harness extension and the given one, ready for the first browser. */
export async function startServer(scratch: Scratch, options: ServerOptions): Promise<CodeServer> {
  writeUserFiles(scratch, { ...defaultSettings, ...options.settings });
  const places = {
    userDataDir: scratch.userData,
    extensionsDir: scratch.extensions,
    // A home of its own: neither a person's shell start-up files nor their VS Code belong in a test.
    env: { HOME: scratch.home, HARNESS_DIR: scratch.harness, ...options.env },
  };
  const harness = linkExtension(scratch.extensions, harnessExtension);
  if (options.vsix) await installExtension({ ...places, vsix: options.vsix });
  const args = ['--disable-workspace-trust', '--reconnection-grace-time', '2', '--enable-proposed-api', harness];
  const log = join(scratch.path, 'code-server.log');
  const onOutput = (text: string) => appendFileSync(log, text);
  return await startCodeServer({ ...places, folder: scratch.workspace, args, onOutput });
}

function writeUserFiles(scratch: Scratch, settings: Settings): void {
  const user = join(scratch.userData, 'User');
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, 'settings.json'), JSON.stringify(settings));
  // "Bring your own key": a configured vendor opens the chat without anybody signed in.
  writeFileSync(join(user, 'chatLanguageModels.json'), JSON.stringify([{ vendor: 'harness', name: 'Harness' }]));
}
