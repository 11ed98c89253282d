import type { Environment, FileSystem, Listen, Log, Net, Spawn } from "./capabilities.ts";
import type { Clock } from "../time/clock.ts";
import type { Caller } from "./caller.ts";
import type { ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { Trust } from "./kernel.ts";
import type { Release } from "../time/scope.ts";
import type { Storage, ValueSchema } from "./storage.ts";

/**
 * A reference to a service, valid for the whole activation while providers are loaded, unloaded or swapped.
 *
 * Returns views of the service: each call holds a lease on the generation where it began, until its promise or
 * iteration ends. After a swap, running calls end in the old generation, and new calls use the new one.
 */
export interface ServiceReference<Service> {
  readonly current: Service | undefined;
  /** @throws {KernelError} `SERVICE_UNAVAILABLE` without a provider. */
  get(): Service;
  /** Calls `listener` after each change of `current`. Returns an unsubscribe function; the scope unsubscribes too. */
  onChange(listener: () => void): () => void;
}

export interface Contribution<Value> {
  /** Id of the contributing extension. */
  readonly extension: string;
  readonly trust: Trust;
  readonly value: Value;
}

interface ProvideOptions<Service> {
  /**
   * Returns methods that replace the service's own for one caller, for example to check permissions. Called once per
   * activation that holds a reference. Absent: all callers get the same service.
   */
  readonly forCaller?: (caller: Caller) => Partial<Service>;
}

/** Contributions of loaded extensions, ordered by extension id, then by call order. */
export interface Contributions<Value> {
  readonly current: readonly Contribution<Value>[];
  /** Calls `listener` after each change of `current`. Returns an unsubscribe function; the scope unsubscribes too. */
  onChange(listener: () => void): () => void;
}

/**
 * Everything that an extension can do. A member without a grant throws `CAPABILITY_DENIED` when used. After the
 * activation, members that reach other extensions or the system throw `SCOPE_CLOSED`.
 */
export interface Host {
  readonly id: string;
  /** Aborts when the activation ends, before any release. */
  readonly signal: AbortSignal;
  /**
   * Aborts when a new generation takes over or is about to. Running work may continue until `signal` aborts; endless
   * work should end now. Does not abort on unload, where `signal` aborts immediately.
   */
  readonly draining: AbortSignal;
  /**
   * Resolves once all extensions of the host's start have loaded or failed. Background work that needs other
   * extensions' contributions should wait for it. Resolves immediately for extensions added later, and after `signal`
   * aborts when the host stops early. Do not await it in `activate`: the start waits for `activate`.
   */
  readonly started: Promise<void>;
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly net: Net;
  readonly env: Environment;
  readonly listen: Listen;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * @throws {KernelError} `SERVICE_UNDECLARED` when the manifest's `dependsOn` does not name the service;
   * `CAPABILITY_DENIED`.
   */
  getService<Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service>;
  /**
   * Registers a service, visible to others once `activate` has resolved.
   * @throws {KernelError} `SERVICE_UNDECLARED` when the manifest's `provides` does not name the service;
   * `CAPABILITY_DENIED`; `ACTIVATE_FAILED` when called twice for one service, after `activate`, or with members of the
   * handle missing.
   */
  provideService<Service extends object>(
    handle: ServiceHandle<Service>,
    service: Service,
    options?: ProvideOptions<Service>,
  ): void;
  /**
   * @throws {KernelError} `SERVICE_UNDECLARED` when the manifest's `contributes` does not name the point;
   * `CAPABILITY_DENIED`, also for a reserved name; `CONTRIBUTION_INVALID` when members of the point are missing.
   */
  contribute<Value>(point: ExtensionPoint<Value>, value: Value): void;
  /**
   * @throws {KernelError} `SERVICE_UNDECLARED` when the manifest's `reads` does not name the point;
   * `CAPABILITY_DENIED`.
   */
  contributions<Value>(point: ExtensionPoint<Value>): Contributions<Value>;
  /**
   * References a service of the replaced generation while that generation drains; unavailable otherwise. For handing
   * over an exclusive resource. Both manifests must name the service in `provides`.
   * @throws {KernelError} `SERVICE_UNDECLARED` when this generation's manifest does not.
   */
  predecessor<Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service>;
  /** Registers background work; a swap waits for it as for calls, up to its deadline. */
  waitUntil(work: PromiseLike<unknown>): void;
  /**
   * Opens a storage namespace, shared by all generations of this extension and private to it.
   * @throws {KernelError} `CAPABILITY_DENIED`. @throws {TypeError} for an invalid name.
   */
  storage(namespace: string): Storage;
  /**
   * Returns the operator's configuration of this extension. @throws {KernelError} `CONFIG_INVALID` when the schema
   * rejects it.
   */
  config<Settings>(schema: ValueSchema<Settings>): Settings;
  /** Keeps a resource until the activation ends. @throws {KernelError} `SCOPE_CLOSED` once closing has begun. */
  use<Resource extends AsyncDisposable | Disposable>(label: string, resource: Resource): Resource;
  /**
   * Calls `release` when the activation ends, last in, first out. @throws {KernelError} `SCOPE_CLOSED` once closing has
   * begun.
   */
  defer(label: string, release: Release): void;
}
