import type { StorageChange } from "@incipit/kernel";

interface Watcher {
  readonly namespace: string;
  readonly prefix: string;
  readonly push: (change: StorageChange) => void;
  readonly end: () => void;
}

/** Changes that one watcher may have waiting; a slower one ends, and its owner reads and watches anew. */
const maxWaiting = 10_000;

/** Who wants to know of which keys. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();

  /** Lets all go once they have what waits for them: their owners read and watch anew, from then on elsewhere. */
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
    if (!signal.aborted) this.#watchers.add(watcher); // At once, so that nothing between the call and the first pull is missed.
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
