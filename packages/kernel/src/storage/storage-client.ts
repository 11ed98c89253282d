import type { StorageGrant } from "../contract/capabilities.ts";
import { commitWithin, type CommitPart } from "./commit-within.ts";
import type { JsonValue } from "../json/json.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { describeIssues } from "./schema-issues.ts";
import { qualifiedNamespace } from "../contract/storage-namespace.ts";
import { storageQuota } from "./storage-quota.ts";
import type {
  Storage,
  StorageBatch,
  StorageCheck,
  StorageDriver,
  StorageRange,
  StorageWrite,
  StoredEntry,
  ValueSchema,
  Versioned,
} from "../contract/storage.ts";

export interface StorageClientOptions {
  readonly extension: string;
  readonly grant: true | StorageGrant;
  /** Quotas are shared per host, across activations. */
  readonly host: object;
  /** @throws {KernelError} `SERVICE_UNAVAILABLE`; `SCOPE_CLOSED`. */
  readonly driver: () => StorageDriver;
  readonly signal: AbortSignal;
}

/** Small, because entries can be large and other reads should interleave. */
const pageSize = 200;
/** The first valid character after a key (drivers reject NUL), and the last code point, which no key contains. */
const firstCharacter = "\u0001";
const lastCharacter = "\u{10FFFF}";

/**
 * Serializes now, so that a getter or `toJSON` cannot change the value between measuring and storing.
 *
 * @throws {TypeError} for a value that is not JSON.
 */
function settled(write: StorageWrite): StorageWrite {
  const { kind, key } = write;
  if (typeof key !== "string") throw new TypeError("Cannot store under a key that is not text");
  return kind === "delete" ? { kind, key } : { kind, key, value: JSON.parse(jsonOf(key, write.value)) };
}

function jsonOf(key: string, value: JsonValue): string {
  // JavaScript callers may pass `undefined`.
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`Cannot store "${key}": it is not JSON`);
  return text;
}

type SchemaResult<Value> = Awaited<ReturnType<ValueSchema<Value>["~standard"]["validate"]>>;

/** Only the kernel can read the contents of a batch. */
const partOfBatch = new WeakMap<StorageBatch, CommitPart>();

/**
 * @throws {KernelError} `CAPABILITY_DENIED` for a namespace without a grant. A commit over the limit is rejected as a
 * whole with the same code, also when it belongs to another extension that joined a batch.
 */
export function createStorageClient(name: string, options: StorageClientOptions): Storage {
  const { driver, extension, grant, host, signal } = options;
  const namespace = qualifiedNamespace(extension, name);
  const { namespaces, maxBytes } = grant === true ? {} : grant;
  if (namespaces !== undefined && !namespaces.includes(name)) {
    const granted = namespaces.map((entry) => `"${entry}"`).join(", ") || "none";
    const message = `Cannot open storage "${name}" for "${extension}": granted are ${granted}`;
    throw new KernelError("CAPABILITY_DENIED", message, { extension });
  }
  const limit =
    maxBytes === undefined ? undefined : { quota: storageQuota(host, extension), maxBytes, activation: signal };
  limit?.quota.open(namespace);
  const partOf = (checks: readonly StorageCheck[], writes: readonly StorageWrite[]): CommitPart => ({
    checks: checks.map((check) => ({ ...check, namespace })),
    writes: writes.map((write) => ({ ...(limit === undefined ? write : settled(write)), namespace })),
    limit,
  });
  const write = async (entry: StorageWrite): Promise<void> => {
    await commitWithin(driver, [partOf([], [entry])]);
  };

  /** Synchronous for synchronous schemas: a list may have thousands of entries. */
  const parse = <Value>(
    entry: StoredEntry,
    schema: ValueSchema<Value>,
  ): Versioned<Value> | Promise<Versioned<Value>> => {
    const result = schema["~standard"].validate(entry.value);
    return result instanceof Promise ? result.then((it) => checked(entry, it)) : checked(entry, result);
  };

  const checked = <Value>(entry: StoredEntry, result: SchemaResult<Value>): Versioned<Value> => {
    if (result.issues !== undefined) {
      const message = `Cannot read "${entry.key}" in "${namespace}": the stored value does not fit its schema: ${describeIssues(result.issues)}; it is unchanged`;
      throw new KernelError("STORED_VALUE_INVALID", message, { extension });
    }
    return { key: entry.key, value: result.value, version: entry.version };
  };

  const readable = async <Value>(
    entries: readonly StoredEntry[],
    schema: ValueSchema<Value>,
    onInvalid: ((key: string, error: Error) => void) | undefined,
  ): Promise<readonly Versioned<Value>[]> => {
    const found: Versioned<Value>[] = [];
    for (const entry of entries) {
      try {
        const parsed = parse(entry, schema);
        found.push(parsed instanceof Promise ? await parsed : parsed);
      } catch (error) {
        if (onInvalid === undefined || !KernelError.is(error)) throw error;
        onInvalid(entry.key, error);
      }
    }
    return found;
  };

  const getVersioned = async <Value>(
    key: string,
    schema: ValueSchema<Value>,
  ): Promise<Versioned<Value> | undefined> => {
    const entry = await driver().get(namespace, key);
    return entry === undefined ? undefined : parse(entry, schema);
  };

  return {
    getVersioned,
    async get(key, schema) {
      return (await getVersioned(key, schema))?.value;
    },
    set: (key: string, value: JsonValue) => write({ kind: "set", key, value }),
    delete: (key) => write({ kind: "delete", key }),
    async list(range, schema) {
      const { onInvalid, ...rest } = range;
      const entries = await driver().list(namespace, rest);
      return readable(entries, schema, onInvalid);
    },
    async *entries(prefix, schema, { onInvalid } = {}) {
      let range: StorageRange = { prefix, limit: pageSize };
      for (;;) {
        const page = await driver().list(namespace, range);
        yield* await readable(page, schema, onInvalid);
        const last = page.at(-1); // Continue after a damaged record too.
        if (last === undefined || page.length < pageSize) return;
        range = { start: `${last.key}${firstCharacter}`, end: `${prefix}${lastCharacter}`, limit: pageSize };
      }
    },
    async atomic(checks, writes, { join = [], ...options } = {}) {
      const own = partOf(checks, writes);
      const joined = join.map((batch) => {
        const known = partOfBatch.get(batch);
        if (known === undefined)
          throw new TypeError(`Cannot join a batch that "host.storage(…).batch" did not make`);
        return known;
      });
      return commitWithin(driver, [own, ...joined], options);
    },
    batch(checks, writes) {
      const batch: StorageBatch = Object.freeze({});
      partOfBatch.set(batch, partOf(checks, writes));
      return batch;
    },
    watch: (prefix, watched) => driver().watch(namespace, prefix, AbortSignal.any([watched, signal])),
  };
}
