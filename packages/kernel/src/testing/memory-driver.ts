import type { StorageDriver, StoredEntry } from "../contract/storage.ts";

export interface MemoryDriver extends StorageDriver {
  readonly entries: ReadonlyMap<string, StoredEntry>;
  readonly calls: readonly string[];
  failNext(options: { readonly isStored: boolean }): void;
}

/** Entry ids are `NAMESPACE KEY`. */
export function memoryDriver(): MemoryDriver {
  const entries = new Map<string, StoredEntry>();
  const calls: string[] = [];
  let lastVersion = 0;
  let failure: { readonly isStored: boolean } | undefined;
  return {
    entries,
    calls,
    failNext: (options) => void (failure = options),
    async get(namespace, key) {
      calls.push("get");
      return entries.get(`${namespace} ${key}`);
    },
    async list(namespace, { prefix = "", start = "", end, limit = 100 }) {
      calls.push("list");
      if (start.includes("\0"))
        throw new TypeError(`Cannot list from ${JSON.stringify(start)}: no key holds a NUL`); // As SQLite does.
      return [...entries]
        .filter(([id, { key }]) => id === `${namespace} ${key}` && key.startsWith(prefix) && key >= start)
        .filter(([, { key }]) => end === undefined || key < end)
        .map(([, entry]) => entry)
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, limit);
    },
    async atomic(checks, writes) {
      calls.push("atomic");
      const planned = failure;
      failure = undefined;
      if (planned?.isStored === false) throw new Error("disk full");
      const conflict = checks.find(
        ({ namespace, key, version }) => (entries.get(`${namespace} ${key}`)?.version ?? null) !== version,
      );
      if (conflict !== undefined) return { kind: "conflict", key: conflict.key };
      const version = (lastVersion += 1);
      for (const write of writes) {
        const id = `${write.namespace} ${write.key}`;
        if (write.kind === "delete") entries.delete(id);
        else entries.set(id, { key: write.key, value: write.value, version });
      }
      if (planned !== undefined) throw new Error("disk full");
      return { kind: "committed", version };
    },
    watch: async function* watch() {},
  };
}
