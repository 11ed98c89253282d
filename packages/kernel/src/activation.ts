import { capabilityDenied, createPowers, powersWhile } from "./capability-gate.ts";
import type { Capabilities } from "./capabilities.ts";
import { ExtensionClock } from "./extension-clock.ts";
import type { Manifest } from "./extension.ts";
import type { ContractId, ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { Contributions, Host, ServiceReference } from "./host.ts";
import type { Drivers } from "./kernel.ts";
import { KernelError } from "./kernel-error.ts";
import { leasedView } from "./leased-view.ts";
import { Leases, type Place } from "./leases.ts";
import { LiveValue } from "./live-value.ts";
import { requiredServices } from "./load-order.ts";
import { notedStorage } from "./noted-storage.ts";
import { contributionsTo, referenceTo } from "./reference.ts";
import { describeIssues } from "./schema-issues.ts";
import { Scope } from "./scope.ts";
import type { ServiceRegistry } from "./service-registry.ts";
import { createStorageClient } from "./storage-client.ts";
import { storageDriverHandle, type Storage, type StorageDriver } from "./storage.ts";
import { Succession } from "./succession.ts";

export interface ActivationOptions {
  readonly manifest: Manifest;
  readonly generation: number;
  readonly granted: Capabilities;
  readonly drivers: Drivers;
  readonly registry: ServiceRegistry;
  /** Told of what a power threw, whatever it is. */
  readonly onRefusal: (error: unknown) => void;
  readonly releaseTimeoutMs: number;
  /** Told of what the extension throws where nobody could catch it. */
  readonly onUncaught: (error: unknown) => void;
  /** The generation that this one is to replace. */
  readonly replaces?: Activation | undefined;
  /** Whether that one still runs when this one starts. */
  readonly isBeside?: boolean;
}

interface Contributed {
  readonly point: ContractId;
  readonly view: unknown;
}

/** One life of an extension: its scope, the host that it was given, and what it put forward while it started. */
export class Activation {
  readonly manifest: Manifest;
  readonly generation: number;
  readonly scope: Scope;
  readonly leases: Leases;
  readonly succession: Succession;
  readonly host: Host;
  readonly #registry: ServiceRegistry;
  readonly #services = new Map<ContractId, object>();
  readonly #views = new Map<ContractId, object>();
  readonly #pinned = new Map<ContractId, object>();
  readonly #contributed = new Map<string, Contributed>();
  readonly #draining = new AbortController();
  readonly #predecessor: LiveValue<Activation | undefined>;
  readonly #clock: ExtensionClock;
  #isStarted = false;
  #isPublished = false;

  constructor(options: ActivationOptions) {
    const { manifest, drivers, generation } = options;
    this.manifest = manifest;
    this.generation = generation;
    this.#registry = options.registry;
    this.#clock = new ExtensionClock(drivers.clock, options.onUncaught);
    const { replaces, isBeside = false } = options;
    this.#predecessor = new LiveValue(isBeside ? replaces : undefined, options.onUncaught);
    this.succession = replaces?.succession ?? new Succession();
    this.leases = new Leases(manifest.id);
    this.scope = new Scope({
      owner: manifest.id,
      releaseTimeoutMs: options.releaseTimeoutMs,
      clock: drivers.clock,
    });
    this.scope.defer("timers", () => this.#clock.end()); // The first to come is the last to go: releases may need them.
    this.host = this.#createHost(options);
  }

  /** Ends the time in which services can be provided. @throws {KernelError} `SERVICE_NOT_PROVIDED`. */
  finish(): void {
    const { id, provides = [] } = this.manifest;
    this.#isStarted = true;
    const missing = provides.filter((service) => !this.#services.has(service));
    if (missing.length === 0) return;
    const names = missing.map((service) => `"${service}"`).join(", ");
    const message = `Cannot load "${id}": it declares ${names} and did not provide it; call host.provideService in activate`;
    throw new KernelError("SERVICE_NOT_PROVIDED", message, { extension: id });
  }

  provides(service: ContractId): boolean {
    return this.#services.has(service);
  }

  /** What others see at a place; `undefined`: nothing is there. */
  viewAt(place: Place): unknown {
    return place.kind === "service"
      ? this.#views.get(place.id)
      : this.#contributed.get(contributionKey(place.point, place.key))?.view;
  }

  /** Shows others what was put forward, each in one step in place of what `replaced` showed; what is contributed later is shown at once. */
  publish(replaced?: Activation): void {
    this.#isPublished = true;
    this.succession.newest = this;
    if (replaced !== undefined) {
      replaced.#isPublished = false;
      replaced.leases.move(this.succession.successor);
      for (const service of replaced.#views.keys())
        if (!this.#views.has(service)) this.#registry.service(service).set(undefined);
      const points = this.#points();
      for (const point of replaced.#points()) if (!points.has(point)) this.#showContributions(point);
    }
    for (const [service, view] of this.#views) this.#registry.service(service).set(view);
    for (const point of this.#points()) this.#showContributions(point);
  }

  /** Takes back what `publish` showed. */
  withdraw(): void {
    this.#isPublished = false;
    this.succession.newest = undefined;
    for (const id of this.#views.keys()) this.#registry.service(id).set(undefined);
    for (const id of this.#points()) this.#registry.setContributions(this.manifest.id, id, []);
  }

  /** Tells the extension that another generation has come, or is about to. */
  beginDraining(): void {
    this.#draining.abort();
  }

  /** The generation that this one has replaced is over. */
  forgetPredecessor(): void {
    this.#predecessor.set(undefined);
  }

  /** Releases all. From here on nothing of it is called by the host. @throws {AggregateError} as `Scope.close` does. */
  close(): Promise<void> {
    return this.scope.close();
  }

  #points(): ReadonlySet<ContractId> {
    return new Set(this.#contributed.values().map(({ point }) => point));
  }

  #viewsAt(point: ContractId): readonly unknown[] {
    return [...this.#contributed.values()].filter((entry) => entry.point === point).map(({ view }) => view);
  }

  /** As they are at this moment: a listener that is told of one list may lead to a further contribution. */
  #showContributions(point: ContractId): void {
    this.#registry.setContributions(this.manifest.id, point, this.#viewsAt(point));
  }

  #contribute<Value>(point: ExtensionPoint<Value>, value: Value): void {
    const name = point.keyOf?.(value) ?? String(this.#viewsAt(point.id).length);
    let key = name;
    for (let count = 2; this.#contributed.has(contributionKey(point.id, key)); count += 1) key = `${name}#${count}`;
    const place: Place = { kind: "contribution", point: point.id, key };
    const view = leasedView(value, { leases: this.leases, place });
    this.#contributed.set(contributionKey(point.id, key), { point: point.id, view });
    if (this.#isPublished) this.#showContributions(point.id);
  }

  /** A view of a service that does not go over to the next generation. */
  pinnedView(id: ContractId): object | undefined {
    const service = this.#services.get(id);
    if (service === undefined) return undefined;
    const known = this.#pinned.get(id);
    if (known !== undefined) return known;
    const view = leasedView(service, { leases: this.leases, place: { kind: "service", id }, isPinned: true });
    this.#pinned.set(id, view);
    return view;
  }

  #createHost({ manifest, granted, drivers, registry, onRefusal }: ActivationOptions): Host {
    const { id } = manifest;
    const { scope } = this;
    const gate = { extension: id, declared: manifest.capabilities ?? {}, granted };
    const usable = new Set([...requiredServices(manifest), ...(manifest.dependsOn?.optional ?? [])]);
    const scopeClosed = (): KernelError =>
      new KernelError("SCOPE_CLOSED", `Cannot go on in "${id}": it was unloaded; load it again`, { extension: id });
    /** For what others would see. */
    const assertOpen = (): void => {
      if (scope.isClosing) throw scopeClosed();
    };
    /** For what a release may still need. */
    const assertNotClosed = (): void => {
      if (scope.isClosed) throw scopeClosed();
    };
    const { fs, spawn, net, env, listen } = powersWhile(createPowers(drivers, gate), {
      assertOpen: assertNotClosed,
      onRefusal,
    });
    const undeclared = (contract: ContractId, key: string): KernelError =>
      new KernelError(
        "SERVICE_UNDECLARED",
        `Cannot use "${contract}" in "${id}": add it to ${key} of its manifest`,
        { extension: id },
      );
    const listenTo = (value: LiveValue<unknown>, listener: () => void): (() => void) => {
      if (scope.signal.aborted) return () => {};
      const stop = value.onChange(listener);
      const end = (): void => {
        scope.signal.removeEventListener("abort", end);
        stop();
      };
      scope.signal.addEventListener("abort", end);
      return end;
    };

    return {
      id,
      signal: scope.signal,
      draining: this.#draining.signal,
      fs,
      spawn,
      net,
      env,
      listen,
      clock: this.#clock,
      log: drivers.log(id),
      getService: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
        assertNotClosed();
        if (!usable.has(handle.id)) throw undeclared(handle.id, "dependsOn");
        const slot = registry.service(handle.id);
        return referenceTo<Service>(handle, {
          current: () => slot.current,
          onChange: (listener) => listenTo(slot, listener),
        });
      },
      provideService: (handle, service) => {
        assertOpen();
        if (!(manifest.provides ?? []).includes(handle.id)) throw undeclared(handle.id, "provides");
        if (this.#isStarted || this.#services.has(handle.id)) {
          const message = `Cannot provide "${handle.id}" in "${id}": provide it once, before activate resolves`;
          throw new KernelError("ACTIVATE_FAILED", message, { extension: id });
        }
        this.#services.set(handle.id, service);
        const place: Place = { kind: "service", id: handle.id };
        this.#views.set(handle.id, leasedView(service, { leases: this.leases, place }));
      },
      predecessor: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
        if (!(manifest.provides ?? []).includes(handle.id)) throw undeclared(handle.id, "provides");
        return referenceTo<Service>(handle, {
          current: () => this.#predecessor.current?.pinnedView(handle.id),
          onChange: (listener) => listenTo(this.#predecessor, listener),
        });
      },
      waitUntil: (work) => {
        assertNotClosed();
        this.leases.track(work).catch(() => undefined); // Whoever does the work sees how it ends.
      },
      contribute: (point, value) => {
        assertOpen();
        if (!(manifest.contributes ?? []).includes(point.id)) throw undeclared(point.id, "contributes");
        this.#contribute(point, value);
      },
      contributions: <Value>(point: ExtensionPoint<Value>): Contributions<Value> => {
        assertNotClosed();
        if (!(manifest.reads ?? []).includes(point.id)) throw undeclared(point.id, "reads");
        const list = registry.point(point.id);
        return contributionsTo<Value>(point, {
          current: () => list.current,
          onChange: (listener) => listenTo(list, listener),
        });
      },
      storage: (namespace) => {
        if (granted.storage === undefined) {
          const denied = capabilityDenied(gate, "storage", `open storage "${namespace}"`);
          onRefusal(denied);
          throw denied;
        }
        const slot = registry.service(storageDriverHandle.id);
        const driver = referenceTo<StorageDriver>(storageDriverHandle, {
          current: () => slot.current,
          onChange: (listener) => listenTo(slot, listener),
        });
        // A release may still store what was in flight: storage closes behind the last one.
        const openDriver = (): StorageDriver => {
          assertNotClosed();
          return driver.get();
        };
        const { storage: grant } = granted;
        const open = (): Storage =>
          createStorageClient(namespace, {
            extension: id,
            grant,
            host: registry,
            driver: openDriver,
            signal: scope.signal,
          });
        return notedStorage(open, onRefusal);
      },
      config: (schema) => {
        const result = schema["~standard"].validate(drivers.config(id));
        if (result instanceof Promise)
          throw new TypeError(`Cannot configure "${id}": its schema must not be asynchronous`);
        if (result.issues === undefined) return result.value;
        const message = `Cannot configure "${id}": ${describeIssues(result.issues)}`;
        throw new KernelError("CONFIG_INVALID", message, { extension: id });
      },
      use: (label, resource) => scope.use(label, resource),
      defer: (label, release) => scope.defer(label, release),
    };
  }
}

function contributionKey(point: ContractId, key: string): string {
  return `${point} ${key}`;
}
