import { defineHandle, type ServiceHandle } from "./handle.ts";
import type { JsonValue } from "../json/json.ts";

/** Grows by at least 1 with each write of the key, and is never reused, not even after a delete. */
export type StorageVersion = number;

export interface StoredEntry {
  readonly key: string;
  readonly value: JsonValue;
  readonly version: StorageVersion;
}

/**
 * A range of keys in the order of their UTF-8 bytes: `prefix`, or `start` (inclusive) and `end` (exclusive), or all
 * keys.
 */
export interface StorageRange {
  readonly prefix?: string;
  readonly start?: string;
  readonly end?: string;
  /** At most 1,000; 100 by default. */
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
   * Durability on resolve: `machine` (default) survives a loss of power, `process` only the end of the process
   * (SIGKILL), which may save the driver a disk sync. Commits survive in order, none without its predecessors.
   */
  readonly survives?: "process" | "machine";
  /**
   * Called once the writes survive the end of the process, if that happens before they reach the requested durability.
   * Drivers without this distinction never call it. Not called for a conflict or an empty commit.
   */
  readonly onCommitted?: () => void;
}

/**
 * An ordered, transactional key-value store, implemented by a storage extension.
 *
 * - `atomic` applies all writes or none, evaluates checks in the same transaction, and resolves at the requested
 *   durability.
 * - Reads see every write acknowledged before them.
 * - Calls for one key run in call order.
 */
export interface StorageDriver {
  get(namespace: string, key: string): Promise<StoredEntry | undefined>;
  list(namespace: string, range: StorageRange): Promise<readonly StoredEntry[]>;
  atomic(
    checks: readonly NamespacedCheck[],
    writes: readonly NamespacedWrite[],
    options?: CommitOptions,
  ): Promise<AtomicResult>;
  /** Yields changes committed after the call, in commit order; ends when `signal` aborts. */
  watch(namespace: string, prefix: string, signal: AbortSignal): AsyncIterable<StorageChange>;
}

export const storageDriverHandle: ServiceHandle<StorageDriver> = defineHandle<StorageDriver>("storage-driver@1", {
  get: "function",
  list: "function",
  atomic: "function",
  watch: "function",
});

/** A validation problem and its path. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Any Standard Schema (https://standardschema.dev), such as a zod schema. */
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

/** Opaque writes of one extension that another can commit together with its own. */
export interface StorageBatch {
  readonly [batchBrand]?: never;
}

/** One storage namespace of one extension. Values are validated on read. */
export interface Storage {
  /** @throws {KernelError} `STORED_VALUE_INVALID` when the schema rejects the stored value, which stays unchanged. */
  get<Value>(key: string, schema: ValueSchema<Value>): Promise<Value | undefined>;
  /** Like `get`, but also returns the version, for a check in `atomic`. */
  getVersioned<Value>(key: string, schema: ValueSchema<Value>): Promise<Versioned<Value> | undefined>;
  /** @throws {KernelError} `CAPABILITY_DENIED` above the granted quota; also thrown by `atomic`. */
  set(key: string, value: JsonValue): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * @throws {KernelError} `STORED_VALUE_INVALID`, unless `onInvalid` is given, which receives the error while the entry
   * is skipped.
   */
  list<Value>(
    range: StorageRange & { readonly onInvalid?: (key: string, error: Error) => void },
    schema: ValueSchema<Value>,
  ): Promise<readonly Versioned<Value>[]>;
  /** Yields all entries below a prefix in key order, loaded in pages; handles invalid values like `list`. */
  entries<Value>(
    prefix: string,
    schema: ValueSchema<Value>,
    options?: { readonly onInvalid?: (key: string, error: Error) => void },
  ): AsyncGenerator<Versioned<Value>, void>;
  /**
   * Applies all writes or none; a failed check returns `conflict`. `join` adds batches of other extensions to the same
   * transaction.
   */
  atomic(
    checks: readonly StorageCheck[],
    writes: readonly StorageWrite[],
    options?: CommitOptions & { readonly join?: readonly StorageBatch[] },
  ): Promise<AtomicResult>;
  /** Prepares writes for another extension's `atomic`. Stores nothing itself. */
  batch(checks: readonly StorageCheck[], writes: readonly StorageWrite[]): StorageBatch;
  /** Yields changes committed after the call, in commit order; ends when `signal` aborts or the activation ends. */
  watch(prefix: string, signal: AbortSignal): AsyncIterable<StorageChange>;
}
