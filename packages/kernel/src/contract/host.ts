import type { Environment, FileSystem, Listen, Log, Net, Spawn } from "./capabilities.ts";
import type { Clock } from "../time/clock.ts";
import type { Caller } from "./caller.ts";
import type { ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { Trust } from "./kernel.ts";
import type { Release } from "../time/scope.ts";
import type { Storage, ValueSchema } from "./storage.ts";

/**
 * Stays valid for the whole activation, whatever is loaded, unloaded or swapped behind it.
 *
 * What it gives is a view of the service: each call of it holds a lease on the generation in which it began, until its
 * promise or its iteration has ended. Calls that began in a generation that is swapped out end there; the next one goes
 * to the generation that came.
 */
export interface ServiceReference<Service> {
  readonly current: Service | undefined;
  /** @throws {KernelError} `SERVICE_UNAVAILABLE` while nobody provides it. */
  get(): Service;
  /** Called after each change of `current`; the returned function ends it. The scope ends it too. */
  onChange(listener: () => void): () => void;
}

export interface Contribution<Value> {
  /** Id of the extension that contributed it. */
  readonly extension: string;
  readonly trust: Trust;
  readonly value: Value;
}

interface ProvideOptions<Service> {
  /**
   * Methods that one caller gets in place of the service's own, which may refuse by who calls; asked once for each activation
   * that holds a reference. Absent: all get the service as it is.
   */
  readonly forCaller?: (caller: Caller) => Partial<Service>;
}

/** What loaded extensions have contributed, ordered by extension id, then by the order of the calls. */
export interface Contributions<Value> {
  readonly current: readonly Contribution<Value>[];
  /** Called after each change of `current`; the returned function ends it. The scope ends it too. */
  onChange(listener: () => void): () => void;
}

/**
 * All that an extension can do. A member that was not granted throws `CAPABILITY_DENIED` when it is used. Once the
 * activation is over, what would reach others or the system throws `SCOPE_CLOSED`.
 */
export interface Host {
  readonly id: string;
  /** Aborts when the activation ends, before anything is released. */
  readonly signal: AbortSignal;
  /**
   * Aborts when another generation has come, or is about to: what is under way may go on until `signal` aborts, and what
   * would never end by itself should end now. Not at an unload, where `signal` comes at once.
   */
  readonly draining: AbortSignal;
  /**
   * Resolves once everything that the host starts with was loaded, or could not be: whoever begins something by itself that
   * needs what others add waits for it. At once for what is added later; when the host ends before, once `signal` has
   * aborted. Not to be awaited in `activate`: what comes after waits for that.
   */
  readonly started: Promise<void>;
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly net: Net;
  readonly env: Environment;
  readonly listen: Listen;
  readonly clock: Clock;
  readonly log: Log;
  /** @throws {KernelError} `SERVICE_UNDECLARED` when the manifest does not name it in `dependsOn`; `CAPABILITY_DENIED`. */
  getService<Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service>;
  /**
   * Visible to others once `activate` has resolved.
   * @throws {KernelError} `SERVICE_UNDECLARED` when the manifest does not name it in `provides`; `CAPABILITY_DENIED`;
   *   `ACTIVATE_FAILED` when it comes a second time, or after that, or lacks members that the handle names.
   */
  provideService<Service extends object>(
    handle: ServiceHandle<Service>,
    service: Service,
    options?: ProvideOptions<Service>,
  ): void;
  /**
   * @throws {KernelError} `SERVICE_UNDECLARED` when the manifest does not name it in `contributes`; `CAPABILITY_DENIED`, also
   *   for a name that is the host's own; `CONTRIBUTION_INVALID` when the value lacks members that the point names.
   */
  contribute<Value>(point: ExtensionPoint<Value>, value: Value): void;
  /** @throws {KernelError} `SERVICE_UNDECLARED` when the manifest does not name it in `reads`; `CAPABILITY_DENIED`. */
  contributions<Value>(point: ExtensionPoint<Value>): Contributions<Value>;
  /**
   * A service of the generation that this one has replaced, while that one drains; else absent. For handing over what
   * one generation alone may hold. Its manifest's `provides` must name it, as this one's does.
   * @throws {KernelError} `SERVICE_UNDECLARED` when this one's does not.
   */
  predecessor<Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service>;
  /** Work without a caller that a swap has to wait for, up to its deadline, as it waits for calls. */
  waitUntil(work: PromiseLike<unknown>): void;
  /**
   * The same data for all generations, and for no other extension.
   * @throws {KernelError} `CAPABILITY_DENIED`. @throws {TypeError} for a name that is none.
   */
  storage(namespace: string): Storage;
  /** What the operator configured for this extension. @throws {KernelError} `CONFIG_INVALID` when it does not fit the schema. */
  config<Settings>(schema: ValueSchema<Settings>): Settings;
  /** Keeps a resource until the activation ends. @throws {KernelError} `SCOPE_CLOSED` once it does. */
  use<Resource extends AsyncDisposable | Disposable>(label: string, resource: Resource): Resource;
  /** Called when the activation ends, last in first out. @throws {KernelError} `SCOPE_CLOSED` once it does. */
  defer(label: string, release: Release): void;
}
