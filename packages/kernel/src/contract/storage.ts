import { defineHandle, type ServiceHandle } from "./handle.ts";
import type { JsonValue } from "../json/json.ts";

/** Grows by at least 1 with each write of the key, and is never used again, also after a delete. */
export type StorageVersion = number;

export interface StoredEntry {
  readonly key: string;
  readonly value: JsonValue;
  readonly version: StorageVersion;
}

/** Keys in the order of their UTF-8 bytes. Give `prefix`, or `start` (included) and `end` (left out), or neither. */
export interface StorageRange {
  readonly prefix?: string;
  readonly start?: string;
  readonly end?: string;
  /** At most 1,000; 100 when absent. */
  readonly limit?: number;
  readonly reverse?: boolean;
}

export interface NamespacedCheck {
  readonly namespace: string;
  readonly key: string;
  /** `null`: the key must not exist. */
  readonly version: StorageVersion | null;
}

export type NamespacedWrite =
  | { readonly kind: "set"; readonly namespace: string; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "delete"; readonly namespace: string; readonly key: string };

export type AtomicResult =
  | { readonly kind: "committed"; readonly version: StorageVersion }
  | { readonly kind: "conflict"; readonly key: string };

export type StorageChange =
  | { readonly kind: "set"; readonly key: string; readonly version: StorageVersion }
  | { readonly kind: "delete"; readonly key: string };

export interface CommitOptions {
  /**
   * What the writes survive once the commit has resolved: `machine`, which is the default, a loss of power too; `process` the
   * end of the process alone (SIGKILL), which a driver may not have to wait for the disk for. Commits survive in their order:
   * none without those before it.
   */
  readonly survives?: "process" | "machine";
  /**
   * Called once the writes are committed and survive the end of the process, where that is before they survive what they have
   * to. A driver that cannot tell the two apart does not call it. Not called for a conflict, nor when nothing was written.
   */
  readonly onCommitted?: () => void;
}

/**
 * What a storage extension implements: an ordered, transactional key-value store.
 *
 * - `atomic` resolves once its writes survive what the options say; all of them or none. Checks are judged in the same transaction.
 * - Reads see every write that was acknowledged before they were asked for.
 * - Calls run in the order in which they were made, as far as one key is concerned.
 */
export interface StorageDriver {
  get(namespace: string, key: string): Promise<StoredEntry | undefined>;
  list(namespace: string, range: StorageRange): Promise<readonly StoredEntry[]>;
  atomic(
    checks: readonly NamespacedCheck[],
    writes: readonly NamespacedWrite[],
    options?: CommitOptions,
  ): Promise<AtomicResult>;
  /** Changes that are committed after the call, in commit order; ends when `signal` aborts. */
  watch(namespace: string, prefix: string, signal: AbortSignal): AsyncIterable<StorageChange>;
}

export const storageDriverHandle: ServiceHandle<StorageDriver> = defineHandle<StorageDriver>("storage-driver@1", {
  get: "function",
  list: "function",
  atomic: "function",
  watch: "function",
});

/** What a schema found wrong, and where. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Any Standard Schema (https://standardschema.dev), zod's among them. */
export interface ValueSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: readonly SchemaIssue[] }
      | Promise<
          { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }
        >;
  };
}

export interface Versioned<Value> {
  readonly key: string;
  readonly value: Value;
  readonly version: StorageVersion;
}

export interface StorageCheck {
  readonly key: string;
  /** `null`: the key must not exist. */
  readonly version: StorageVersion | null;
}

export type StorageWrite =
  | { readonly kind: "set"; readonly key: string; readonly value: JsonValue }
  | { readonly kind: "delete"; readonly key: string };

declare const batchBrand: unique symbol;

/** Writes of one extension that another one may commit together with its own, without seeing what they are. */
export interface StorageBatch {
  readonly [batchBrand]?: never;
}

/** The storage of one namespace of one extension. Values are checked by a schema on the way out. */
export interface Storage {
  /** @throws {KernelError} `STORED_VALUE_INVALID` when what is stored does not fit the schema; it stays as it is. */
  get<Value>(key: string, schema: ValueSchema<Value>): Promise<Value | undefined>;
  /** As `get`, with the version for a check. */
  getVersioned<Value>(key: string, schema: ValueSchema<Value>): Promise<Versioned<Value> | undefined>;
  /** @throws {KernelError} `CAPABILITY_DENIED` when the extension would hold more than it was granted; so does `atomic`. */
  set(key: string, value: JsonValue): Promise<void>;
  delete(key: string): Promise<void>;
  /** @throws {KernelError} `STORED_VALUE_INVALID`, unless `onInvalid` is given, which is told and the entry left out. */
  list<Value>(
    range: StorageRange & { readonly onInvalid?: (key: string, error: Error) => void },
    schema: ValueSchema<Value>,
  ): Promise<readonly Versioned<Value>[]>;
  /** All below a prefix in the order of their keys, read a page at a time; what is damaged as for `list`. */
  entries<Value>(
    prefix: string,
    schema: ValueSchema<Value>,
    options?: { readonly onInvalid?: (key: string, error: Error) => void },
  ): AsyncGenerator<Versioned<Value>, void>;
  /** All of the writes or none; none when a check fails, which is a result and no error. `join`: batches of other extensions, committed in the same transaction. */
  atomic(
    checks: readonly StorageCheck[],
    writes: readonly StorageWrite[],
    options?: CommitOptions & { readonly join?: readonly StorageBatch[] },
  ): Promise<AtomicResult>;
  /** Puts writes aside for somebody else's `atomic`. Nothing is stored until then. */
  batch(checks: readonly StorageCheck[], writes: readonly StorageWrite[]): StorageBatch;
  /** Changes that are committed after the call, in commit order; ends when `signal` aborts, and with the activation. */
  watch(prefix: string, signal: AbortSignal): AsyncIterable<StorageChange>;
}
