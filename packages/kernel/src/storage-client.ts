import type { JsonValue } from "./json.ts";
import { KernelError } from "./kernel-error.ts";
import { describeIssues } from "./schema-issues.ts";
import type {
  AtomicResult,
  NamespacedCheck,
  NamespacedWrite,
  Storage,
  StorageBatch,
  StorageCheck,
  StorageDriver,
  StorageWrite,
  StoredEntry,
  ValueSchema,
  Versioned,
} from "./storage.ts";

export interface StorageClientOptions {
  readonly extension: string;
  /** The driver of this moment. @throws {KernelError} `SERVICE_UNAVAILABLE`; `SCOPE_CLOSED`. */
  readonly driver: () => StorageDriver;
  /** Ends every watch. */
  readonly signal: AbortSignal;
}

interface BatchContent {
  readonly checks: readonly NamespacedCheck[];
  readonly writes: readonly NamespacedWrite[];
}

/** What is in a batch is known to the kernel alone. */
const contentOfBatch = new WeakMap<StorageBatch, BatchContent>();

/** The driver's namespace of an extension's own one: extensions cannot name each other's. */
function qualifiedNamespace(extension: string, namespace: string): string {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(namespace)) {
    throw new TypeError(
      `Cannot open storage "${namespace}" of "${extension}": use lower-case letters, digits, ".", "_" and "-"`,
    );
  }
  return `${extension}/${namespace}`;
}

export function createStorageClient(name: string, options: StorageClientOptions): Storage {
  const namespace = qualifiedNamespace(options.extension, name);
  const { driver } = options;
  const content = (checks: readonly StorageCheck[], writes: readonly StorageWrite[]): BatchContent => ({
    checks: checks.map((check) => ({ ...check, namespace })),
    writes: writes.map((write) => ({ ...write, namespace })),
  });
  const commit = async ({ checks, writes }: BatchContent): Promise<AtomicResult> => driver().atomic(checks, writes);
  const write = async (entry: StorageWrite): Promise<void> => {
    await commit(content([], [entry]));
  };

  const parse = async <Value>(entry: StoredEntry, schema: ValueSchema<Value>): Promise<Versioned<Value>> => {
    const validated = schema["~standard"].validate(entry.value);
    const result = validated instanceof Promise ? await validated : validated;
    if (result.issues !== undefined) {
      const message = `Cannot read "${entry.key}" in "${namespace}": what is stored does not fit its schema: ${describeIssues(result.issues)}; it was left as it is`;
      throw new KernelError("STORED_VALUE_INVALID", message, { extension: options.extension });
    }
    return { key: entry.key, value: result.value, version: entry.version };
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
      const readable = await Promise.all(
        entries.map(async (entry) => {
          try {
            return await parse(entry, schema);
          } catch (error) {
            if (onInvalid === undefined || !KernelError.is(error)) throw error;
            onInvalid(entry.key, error);
            return undefined;
          }
        }),
      );
      return readable.filter((entry) => entry !== undefined);
    },
    async atomic(checks, writes, { join = [] } = {}) {
      const own = content(checks, writes);
      const joined = join.map((batch) => {
        const known = contentOfBatch.get(batch);
        if (known === undefined)
          throw new TypeError(`Cannot join a batch that "host.storage(…).batch" did not make`);
        return known;
      });
      const all = [own, ...joined];
      return commit({ checks: all.flatMap((part) => part.checks), writes: all.flatMap((part) => part.writes) });
    },
    batch(checks, writes) {
      const batch: StorageBatch = Object.freeze({});
      contentOfBatch.set(batch, content(checks, writes));
      return batch;
    },
    watch: (prefix, signal) => driver().watch(namespace, prefix, AbortSignal.any([signal, options.signal])),
  };
}
