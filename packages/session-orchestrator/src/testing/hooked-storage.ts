import type {
  CommitOptions,
  JsonValue,
  NamespacedWrite,
  StorageDriver,
  StorageRange,
  StoredEntry,
} from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";

export const conversationsNamespace = "session-orchestrator/conversations";

/** Called before the storage is; what one throws or delays, the caller of the storage sees. `listed` is called after. */
export interface StorageHooks {
  readonly get?: (key: string) => unknown;
  readonly list?: (range: StorageRange) => unknown;
  readonly listed?: (entries: readonly StoredEntry[], range: StorageRange) => unknown;
  readonly atomic?: (writes: readonly NamespacedWrite[], options: CommitOptions) => unknown;
}

export function hookedStorage(hooks: StorageHooks, memory: StorageDriver = createMemoryStorage()): StorageDriver {
  return {
    ...memory,
    async get(namespace, key) {
      await hooks.get?.(key);
      return memory.get(namespace, key);
    },
    async list(namespace, range) {
      await hooks.list?.(range);
      const entries = await memory.list(namespace, range);
      await hooks.listed?.(entries, range);
      return entries;
    },
    async atomic(checks, writes, options = {}) {
      await hooks.atomic?.(writes, options);
      return memory.atomic(checks, writes, options);
    },
  };
}

type Matches = (write: NamespacedWrite) => boolean;

/** Storage that rejects matching commits while `isFull`. */
export class FullableStorage {
  isFull = false;
  refused = 0;
  readonly driver: StorageDriver;
  #matches: Matches;
  #left = Number.POSITIVE_INFINITY;

  constructor(matches: Matches = () => true, memory: StorageDriver = createMemoryStorage()) {
    this.#matches = matches;
    const atomic = (writes: readonly NamespacedWrite[]): void => {
      if (!this.isFull || this.#left === 0 || !writes.some(this.#matches)) return;
      this.#left -= 1;
      this.refused += 1;
      throw new Error("the disk is full");
    };
    this.driver = hookedStorage({ atomic }, memory);
  }

  /** Rejects the next commits that match. */
  fail(matches: Matches, count = Number.POSITIVE_INFINITY): void {
    this.#matches = matches;
    this.#left = count;
    this.isFull = true;
  }
}

/** Storage that holds the commit of a value with this text: `reached` resolves before it, `goOn` lets it continue. */
export function heldStorage(text: string): {
  readonly driver: StorageDriver;
  readonly reached: Promise<void>;
  readonly goOn: () => void;
} {
  const [reached, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const driver = hookedStorage({
    atomic: async (writes) => {
      if (!JSON.stringify(writes).includes(text)) return;
      reached.resolve();
      await stored.promise;
    },
  });
  return { driver, reached: reached.promise, goOn: () => stored.resolve() };
}

export async function putStored(storage: StorageDriver, key: string, value: JsonValue): Promise<void> {
  await storage.atomic([], [{ kind: "set", namespace: conversationsNamespace, key, value }]);
}

export function listStored(storage: StorageDriver, prefix: string): Promise<readonly StoredEntry[]> {
  return storage.list(conversationsNamespace, { prefix, limit: 1_000 });
}

export async function getStored(storage: StorageDriver, key: string): Promise<JsonValue | undefined> {
  return (await storage.get(conversationsNamespace, key))?.value;
}

export async function deleteStored(storage: StorageDriver, key: string): Promise<void> {
  await storage.atomic([], [{ kind: "delete", namespace: conversationsNamespace, key }]);
}
