/** Something that holds a resource until `dispose` is called. Calling it again does nothing. */
export interface Disposable {
  dispose(): void;
}

/** A disposable that runs `release` once. */
export function toDisposable(release: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      release();
    },
  };
}

/** Owns disposables and disposes them together, the last added first. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Takes ownership of `item` and returns it; disposes it at once when the store is already disposed. */
  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Disposes one owned item now. */
  delete(item: Disposable): void {
    if (this.items.delete(item)) item.dispose();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const item of [...this.items].reverse()) item.dispose();
    this.items.clear();
  }
}
