import { capabilityDenied, createPowers, powersWhile } from "./capability-gate.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Manifest } from "./extension.ts";
import type { ContractId, ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { Contribution, Contributions, Host, ServiceReference } from "./host.ts";
import type { Drivers } from "./kernel.ts";
import { KernelError } from "./kernel-error.ts";
import type { LiveValue } from "./live-value.ts";
import { requiredServices } from "./load-order.ts";
import { describeIssues } from "./schema-issues.ts";
import { Scope } from "./scope.ts";
import type { ServiceRegistry } from "./service-registry.ts";
import { createStorageClient } from "./storage-client.ts";
import { storageDriverHandle, type StorageDriver } from "./storage.ts";

export interface ActivationOptions {
  readonly manifest: Manifest;
  readonly granted: Capabilities;
  readonly drivers: Drivers;
  readonly registry: ServiceRegistry;
  readonly releaseTimeoutMs: number;
}

/** One life of an extension: its scope, the host that it was given, and what it put forward while it started. */
export class Activation {
  readonly scope: Scope;
  readonly host: Host;
  readonly provided = new Map<ContractId, object>();
  readonly contributed = new Map<ContractId, unknown[]>();
  readonly #registry: ServiceRegistry;
  #isStarted = false;
  #isPublished = false;

  constructor(options: ActivationOptions) {
    const { manifest, drivers } = options;
    this.#registry = options.registry;
    this.scope = new Scope({
      owner: manifest.id,
      releaseTimeoutMs: options.releaseTimeoutMs,
      clock: drivers.clock,
    });
    this.host = this.#createHost(options);
  }

  /** Ends the time in which services can be provided. @throws {KernelError} `SERVICE_NOT_PROVIDED`. */
  finish(manifest: Manifest): void {
    this.#isStarted = true;
    const missing = (manifest.provides ?? []).filter((id) => !this.provided.has(id));
    if (missing.length === 0) return;
    const names = missing.map((id) => `"${id}"`).join(", ");
    const message = `Cannot load "${manifest.id}": it declares ${names} and did not provide it; call host.provideService in activate`;
    throw new KernelError("SERVICE_NOT_PROVIDED", message, { extension: manifest.id });
  }

  /** Shows others what was put forward; what is contributed later is shown at once. */
  publish(extension: string): void {
    // Listeners run while this goes on, and may lead to further contributions of this extension.
    const contributed = new Map([...this.contributed].map(([id, values]) => [id, [...values]]));
    this.#isPublished = true;
    for (const [id, service] of this.provided) this.#registry.service(id).set(service);
    this.#registry.addContributions(extension, contributed);
  }

  /** Takes back what `publish` showed. */
  withdraw(extension: string): void {
    this.#isPublished = false;
    for (const id of this.provided.keys()) this.#registry.service(id).set(undefined);
    this.#registry.removeContributions(extension, this.contributed);
  }

  #createHost({ manifest, granted, drivers, registry }: ActivationOptions): Host {
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
    const { fs, spawn, net, env, listen } = powersWhile(assertNotClosed, createPowers(drivers, gate));
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
      fs,
      spawn,
      net,
      env,
      listen,
      clock: drivers.clock,
      log: drivers.log(id),
      getService: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
        assertNotClosed();
        if (!usable.has(handle.id)) throw undeclared(handle.id, "dependsOn");
        return referenceTo<Service>(registry, handle, listenTo);
      },
      provideService: (handle, service) => {
        assertOpen();
        if (!(manifest.provides ?? []).includes(handle.id)) throw undeclared(handle.id, "provides");
        if (this.#isStarted || this.provided.has(handle.id)) {
          const message = `Cannot provide "${handle.id}" in "${id}": provide it once, before activate resolves`;
          throw new KernelError("ACTIVATE_FAILED", message, { extension: id });
        }
        this.provided.set(handle.id, service);
      },
      contribute: (point, value) => {
        assertOpen();
        if (!(manifest.contributes ?? []).includes(point.id)) throw undeclared(point.id, "contributes");
        const values = this.contributed.get(point.id) ?? [];
        values.push(value);
        this.contributed.set(point.id, values);
        if (this.#isPublished) registry.addContributions(id, new Map([[point.id, [value]]]));
      },
      contributions: <Value>(point: ExtensionPoint<Value>): Contributions<Value> => {
        assertNotClosed();
        if (!(manifest.reads ?? []).includes(point.id)) throw undeclared(point.id, "reads");
        return contributionsTo<Value>(registry, point, listenTo);
      },
      storage: (namespace) => {
        if (granted.storage === undefined) throw capabilityDenied(gate, "storage", `open storage "${namespace}"`);
        const driver = referenceTo<StorageDriver>(registry, storageDriverHandle, listenTo);
        // A release may still store what was in flight: storage closes behind the last one.
        const openDriver = (): StorageDriver => {
          assertNotClosed();
          return driver.get();
        };
        return createStorageClient(namespace, {
          extension: id,
          grant: granted.storage,
          host: registry,
          driver: openDriver,
          signal: scope.signal,
        });
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

type ListenTo = (value: LiveValue<unknown>, listener: () => void) => () => void;

function referenceTo<Service extends object>(
  registry: ServiceRegistry,
  handle: ServiceHandle<Service>,
  listenTo: ListenTo,
): ServiceReference<Service> {
  const slot = registry.service(handle.id);
  // A slot holds what was provided under this handle: `provideService` took it with the handle's own type.
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above; the one place where the type is restored
  const read = (): Service | undefined => slot.current as Service | undefined;
  return {
    get current() {
      return read();
    },
    get() {
      const service = read();
      if (service === undefined) {
        throw new KernelError(
          "SERVICE_UNAVAILABLE",
          `Cannot reach "${handle.id}": no active extension provides it; load one that does`,
        );
      }
      return service;
    },
    onChange: (listener) => listenTo(slot, listener),
  };
}

function contributionsTo<Value>(
  registry: ServiceRegistry,
  point: ExtensionPoint<Value>,
  listenTo: ListenTo,
): Contributions<Value> {
  const list = registry.point(point.id);
  return {
    get current() {
      // oxlint-disable-next-line typescript/consistent-type-assertions -- `contribute` took each value with the point's own type
      return list.current as readonly Contribution<Value>[];
    },
    onChange: (listener) => listenTo(list, listener),
  };
}
