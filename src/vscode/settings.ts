import { type Disposable, workspace } from 'vscode';
import type { SharingRules } from '../core/session/keyboard';
import { type SettingName, type SettingValue, settings } from './contributions';

const section = 'glassTty';

/** A setting's value as it is now; callers ask each time, so a change needs no restart. */
export function readSetting<N extends SettingName>(name: N): SettingValue<N> {
  return workspace.getConfiguration(section).get(name, settings[name].default) as SettingValue<N>;
}

/** Calls back after the setting's value has changed. */
export function onSettingChange(name: SettingName, listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration(change => {
    if (change.affectsConfiguration(`${section}.${name}`)) listener();
  });
}

/** What a person has decided for all sessions. */
export function sharingRules(): SharingRules {
  const seconds = Number(readSetting('keyboardQuietSeconds'));
  const quietMs = (Number.isFinite(seconds) ? Math.max(0, seconds) : settings.keyboardQuietSeconds.default) * 1000;
  return { quietMs, agentMayTypeSecrets: readSetting('agentMayTypeSecrets') };
}

/** Grace time of a new host, in ms. settings.json may hold anything, so the bound is kept here too. */
export function graceMs(): number {
  const { minimum, default: standard } = settings.hostGraceSeconds;
  const seconds = Number(readSetting('hostGraceSeconds'));
  return Math.max(minimum, Number.isFinite(seconds) ? seconds : standard) * 1000;
}
