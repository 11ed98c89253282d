import type { NamespacedWrite, StorageChange } from "@incipit/kernel";

interface Watched {
  readonly namespace: string;
  readonly prefix: string;
  readonly signal: AbortSignal;
}

interface Watcher extends Watched {
  readonly waiting: StorageChange[];
  wake: () => void;
}

/** Watchers of changes. Each sees the changes after its call, in order. */
export class Watchers {
  readonly #all = new Set<Watcher>();

  tell({ namespace, key }: Pick<NamespacedWrite, "namespace" | "key">, change: StorageChange): void {
    for (const watcher of this.#all)
      if (watcher.namespace === namespace && key.startsWith(watcher.prefix)) {
        watcher.waiting.push(change);
        watcher.wake();
      }
  }

  watch(watched: Watched): AsyncIterable<StorageChange> {
    const watcher: Watcher = { ...watched, waiting: [], wake: () => {} };
    this.#all.add(watcher);
    watched.signal.addEventListener("abort", () => watcher.wake(), { once: true });
    return this.#changes(watcher);
  }

  async *#changes(watcher: Watcher): AsyncGenerator<StorageChange> {
    try {
      while (!watcher.signal.aborted) {
        const change = watcher.waiting.shift();
        if (change === undefined) await new Promise<void>((resolve) => (watcher.wake = resolve));
        else yield change;
      }
    } finally {
      this.#all.delete(watcher);
    }
  }
}
