import { homedir } from 'node:os';
import { env, workspace } from 'vscode';
import type { Owner } from '../core/session/owner';
import type { Caller } from '../tools/tool';
import { readSetting } from './settings';

/** The owner of the terminals that the agent of this workspace's windows and the person share. */
const windowOwner: Owner = { kind: 'window', id: 'lm', label: 'Copilot' };

/** On whose behalf this window calls a tool or opens a terminal, with the settings as they are now. */
export function windowCaller(): Caller {
  const shell = readSetting('shell') || env.shell;
  return { owner: windowOwner, cwd: folders()[0] ?? homedir(), ...(shell && { shell }) };
}

/** Absolute paths of the workspace folders that are on this machine's disk. */
export function folders(): readonly string[] {
  return (workspace.workspaceFolders ?? [])
    .filter(folder => folder.uri.scheme === 'file')
    .map(folder => folder.uri.fsPath);
}
