import { join } from 'node:path';
import type { Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import type { EndReport } from '../core/channel/channel';
import type { KeyboardHolder, SharingRules } from '../core/session/keyboard';
import type { HostClient } from '../rpc/client';
import * as rpc from '../rpc/contract';
import { hostKey, runtimeDirectory } from '../rpc/directory';
import { findHost, findOrStartHost } from '../rpc/launch';

/** Which host a window wants. */
export interface HostPlace {
  /** Path of dist/host.js. */
  readonly script: string;
  /** Tells this workspace from others; windows with the same one share a host. */
  readonly workspace: string;
  readonly folders: readonly string[];
  readonly graceMs: number;
}

/**
 * A terminal host as a window uses it: tools, sessions, and a viewer per session. This module loads the wire, which takes several ms;
 * hostConnection.ts imports it when it is first needed, the others only its types.
 */
export class WindowHost implements Disposable {
  /** Tools and the MCP endpoint. */
  readonly client: HostClient;

  constructor(client: HostClient) {
    this.client = client;
  }

  get onClose(): Event<void> {
    return this.client.onClose;
  }

  onSessionChange(listener: (change: { kind: 'added' | 'changed' | 'removed'; session: rpc.SessionInfo }) => void) {
    return this.client.on(rpc.SessionChanged, listener);
  }

  onViewerData(listener: (event: { id: string; data: string }) => void): Disposable {
    return this.client.on(rpc.ViewerData, listener);
  }

  onViewerSize(listener: (event: { id: string; cols: number; rows: number }) => void): Disposable {
    return this.client.on(rpc.ViewerSize, listener);
  }

  openSession(params: rpc.OpenParams): Promise<rpc.SessionInfo> {
    return this.client.request(rpc.OpenSession, params);
  }

  endSession(id: string): Promise<EndReport> {
    return this.client.request(rpc.EndSession, { id });
  }

  attach(id: string): Promise<rpc.AttachResult> {
    return this.client.request(rpc.AttachViewer, { id });
  }

  detach(id: string): void {
    this.client.notify(rpc.DetachViewer, { id });
  }

  type(id: string, data: string): void {
    this.client.notify(rpc.ViewerInput, { id, data });
  }

  setKeyboard(id: string, holder: KeyboardHolder): void {
    this.client.notify(rpc.SetKeyboard, { id, holder });
  }

  setRules(rules: SharingRules): void {
    this.client.notify(rpc.SetRules, rules);
  }

  resize(id: string, cols: number, rows: number): void {
    this.client.notify(rpc.ViewerResize, { id, cols, rows });
  }

  acknowledge(id: string, characters: number): void {
    this.client.notify(rpc.ViewerAcknowledge, { id, characters });
  }

  dispose(): void {
    this.client.dispose();
  }
}

/** The running host, or undefined; starts none. */
export async function findRunningHost(place: HostPlace): Promise<WindowHost | undefined> {
  const client = await findHost(runtimeDirectory(), hostKey(place.workspace), 'window');
  return client && new WindowHost(client);
}

/** The running host, else a new one. */
export async function openHost({ script, workspace, folders, graceMs }: HostPlace): Promise<WindowHost> {
  const where = { directory: runtimeDirectory(), key: hostKey(workspace) };
  return new WindowHost(await findOrStartHost(script, { ...where, folders, graceMs }));
}

/** The file that a host writes its log to. */
export function hostLogPath(): string {
  return join(runtimeDirectory(), 'host.log');
}
