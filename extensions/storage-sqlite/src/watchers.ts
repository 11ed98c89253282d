import type { StorageChange } from "@incipit/kernel";

interface Watcher {
  readonly namespace: string;
  readonly prefix: string;
  readonly push: (change: StorageChange) => void;
  readonly end: () => void;
}

/** Maximum number of waiting changes; a slower watch ends, and its owner reads and watches again. */
const maxWaiting = 10_000;

export class Watchers {
  readonly #watchers = new Set<Watcher>();

  /** Buffered changes are still delivered; owners read and watch again, elsewhere. */
  end(): void {
    for (const { end } of this.#watchers) end();
    this.#watchers.clear();
  }

  publish(namespace: string, change: StorageChange): void {
    for (const watcher of this.#watchers) {
      if (watcher.namespace === namespace && change.key.startsWith(watcher.prefix)) watcher.push(change);
    }
  }

  watch(namespace: string, prefix: string, signal: AbortSignal): AsyncIterable<StorageChange> {
    const waiting: StorageChange[] = [];
    let isOver = false;
    let wake = (): void => {};
    const watcher: Watcher = {
      namespace,
      prefix,
      push: (change) => {
        if (waiting.length < maxWaiting) waiting.push(change);
        else isOver = true;
        wake();
      },
      end: () => {
        isOver = true;
        wake();
      },
    };
    const end = (): void => {
      this.#watchers.delete(watcher);
      wake();
    };
    if (!signal.aborted) this.#watchers.add(watcher); // Synchronously, so that no change is missed.
    signal.addEventListener("abort", end, { once: true });

    async function* changes(): AsyncGenerator<StorageChange> {
      try {
        while (!signal.aborted) {
          const change = waiting.shift();
          if (change !== undefined) yield change;
          else if (isOver) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        signal.removeEventListener("abort", end);
        end();
      }
    }
    return changes();
  }
}
