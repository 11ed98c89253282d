import type { AtomicResult, NamespacedCheck, NamespacedWrite, StorageChange, StorageDriver } from "@incipit/kernel";
import { OrderedEntries } from "./ordered-entries.ts";

interface Watcher {
  readonly namespace: string;
  readonly prefix: string;
  readonly push: (change: StorageChange) => void;
}

export function createMemoryStorage(): StorageDriver {
  const namespaces = new Map<string, OrderedEntries>();
  const watchers = new Set<Watcher>();
  let lastVersion = 0;

  const entriesOf = (namespace: string): OrderedEntries => {
    let entries = namespaces.get(namespace);
    if (entries === undefined) namespaces.set(namespace, (entries = new OrderedEntries()));
    return entries;
  };

  const apply = (write: NamespacedWrite, version: number): StorageChange => {
    const { namespace, key } = write;
    if (write.kind === "delete") {
      entriesOf(namespace).delete(key);
      return { kind: "delete", key };
    }
    // As a real driver would return it.
    entriesOf(namespace).set({ key, value: JSON.parse(JSON.stringify(write.value)), version });
    return { kind: "set", key, version };
  };

  const atomic = (checks: readonly NamespacedCheck[], writes: readonly NamespacedWrite[]): AtomicResult => {
    for (const { namespace, key, version } of checks) {
      if ((entriesOf(namespace).get(key)?.version ?? null) !== version) return { kind: "conflict", key };
    }
    lastVersion += 1;
    for (const write of writes) {
      const change = apply(write, lastVersion);
      for (const watcher of watchers) {
        if (watcher.namespace === write.namespace && write.key.startsWith(watcher.prefix)) watcher.push(change);
      }
    }
    return { kind: "committed", version: lastVersion };
  };

  return {
    async get(namespace, key) {
      return entriesOf(namespace).get(key);
    },
    async list(namespace, range) {
      return entriesOf(namespace).list(range);
    },
    async atomic(checks, writes) {
      return atomic(checks, writes);
    },
    watch(namespace, prefix, signal) {
      const waiting: StorageChange[] = [];
      let wake: (() => void) | undefined;
      const watcher: Watcher = {
        namespace,
        prefix,
        push(change) {
          waiting.push(change);
          wake?.();
        },
      };
      watchers.add(watcher);
      signal.addEventListener(
        "abort",
        () => {
          watchers.delete(watcher);
          wake?.();
        },
        { once: true },
      );
      return (async function* changes(): AsyncGenerator<StorageChange> {
        try {
          while (!signal.aborted) {
            const change = waiting.shift();
            if (change !== undefined) {
              yield change;
              continue;
            }
            await new Promise<void>((resolve) => (wake = resolve));
          }
        } finally {
          watchers.delete(watcher);
        }
      })();
    },
  };
}
