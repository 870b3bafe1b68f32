import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { HostConnection } from './hostConnection';
import { onSettingChange, sharingRules } from './settings';

/** Keeps the host's rules for sharing terminals as the person's settings say. */
export function tellRules(connection: HostConnection): Disposable {
  const store = new DisposableStore();
  const tell = () => connection.current?.setRules(sharingRules());
  store.add(connection.onConnect(host => host.setRules(sharingRules())));
  store.add(onSettingChange('keyboardQuietSeconds', tell));
  store.add(onSettingChange('agentMayTypeSecrets', tell));
  return store;
}
