import { Emitter } from '../base/event';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { HostPlace, WindowHost } from './windowHost';

/**
 * This window's connection to the terminal host of its workspace: at most one, made when it is first needed, and made anew by the next call
 * after the host has died. Callers at the same time share one attempt.
 */
export class HostConnection implements Disposable {
  private readonly place: () => HostPlace;
  private readonly log: Logger;
  private readonly store = new DisposableStore();
  private readonly connected = this.store.add(new Emitter<WindowHost>());
  private readonly lost = this.store.add(new Emitter<WindowHost>());
  private attempt: Promise<void> | undefined;
  private host: WindowHost | undefined;
  /** Fires in the same tick as the connection is made, before any answer or notification of that host. */
  readonly onConnect = this.connected.event;
  /** A host that was connected has gone, and its sessions with it. */
  readonly onLost = this.lost.event;

  /** `place` is asked at each attempt, so that it follows the settings. */
  constructor(place: () => HostPlace, log: Logger) {
    this.place = place;
    this.log = log;
  }

  get current(): WindowHost | undefined {
    return this.host;
  }

  /** The host, which is started if need be. Rejects with `host_failed` when it does not come up. */
  async get(): Promise<WindowHost> {
    // The attempt that this joins may be one that only looks.
    while (!this.host) await this.share(async () => (await import('./windowHost')).openHost(this.place()));
    return this.host;
  }

  /** The host if one is running. */
  async find(): Promise<WindowHost | undefined> {
    if (!this.host) await this.share(async () => (await import('./windowHost')).findRunningHost(this.place()));
    return this.host;
  }

  private share(open: () => Promise<WindowHost | undefined>): Promise<void> {
    this.attempt ??= open()
      .then(host => this.adopt(host))
      .finally(() => {
        this.attempt = undefined;
      });
    return this.attempt;
  }

  private adopt(host: WindowHost | undefined): void {
    if (!host) return;
    this.host = host;
    if (this.store.isDisposed) return host.dispose();
    host.onClose(() => this.lose(host));
    this.log.info('Connected to the terminal host.');
    this.connected.fire(host);
  }

  private lose(host: WindowHost): void {
    this.host = undefined;
    if (this.store.isDisposed) return;
    this.log.warn('The terminal host has gone.');
    this.lost.fire(host);
  }

  /** Closes the connection. The host and its sessions stay, for a window that comes back. */
  dispose(): void {
    this.store.dispose();
    this.host?.dispose();
  }
}
