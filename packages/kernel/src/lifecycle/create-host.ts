import { createPowers, powersWhile, capabilityDenied, type GateOptions } from "../capability/capability-gate.ts";
import type { Clock } from "../time/clock.ts";
import { createHostGuards, type HostGuards } from "./host-guards.ts";
import { hostServices, type HostServicesOptions } from "./host-services.ts";
import type { Host } from "../contract/host.ts";
import type { Drivers } from "../contract/kernel.ts";
import type { Leases } from "../services/leases.ts";
import { reportingStorage } from "../storage/reporting-storage.ts";
import { OpenListeners } from "../capability/open-listeners.ts";
import { OpenSockets } from "../capability/open-sockets.ts";
import { RunningPrograms } from "../capability/running-programs.ts";
import type { Scope } from "../time/scope.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import { referenceTo, sourceOf } from "../services/reference.ts";
import { createStorageClient } from "../storage/storage-client.ts";
import { storageDriverHandle, type Storage, type ValueSchema } from "../contract/storage.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { describeIssues } from "../storage/schema-issues.ts";

/** What the host of an activation depends on, before the activation exists. */
export interface HostFacts extends Omit<HostServicesOptions, "life" | "offers" | "predecessor"> {
  readonly drivers: Drivers;
  readonly started: Promise<void>;
}

export interface CreateHostOptions extends HostFacts, Omit<HostServicesOptions, "life"> {
  readonly scope: Scope;
  readonly leases: Leases;
  readonly draining: AbortSignal;
  readonly clock: Clock;
}

/** Limited by manifest and grant, and valid as long as its scope. */
export function createHost(options: CreateHostOptions): Host {
  const { manifest, granted, drivers, registry, onRefusal, scope, leases, draining, started, clock } = options;
  const { id } = manifest;
  const life = createHostGuards(id, scope);
  const programs = new RunningPrograms(scope);
  const listeners = new OpenListeners(scope);
  const sockets = new OpenSockets(scope);
  const gate = { extension: id, declared: manifest.capabilities ?? {}, granted };
  return {
    id,
    signal: scope.signal,
    draining,
    started,
    clock,
    log: drivers.log(id),
    ...powersWhile(createPowers(drivers, gate), {
      assertOpen: life.assertNotClosed,
      onRefusal,
      programs,
      listeners,
      sockets,
    }),
    ...hostServices({ ...options, life }),
    storage: (namespace) => reportingStorage(() => openStorage(namespace, { gate, registry, life }), onRefusal),
    config: (schema) => readConfig(id, drivers.config(id), schema),
    waitUntil: (work) => {
      life.assertNotClosed();
      leases.track(work).catch(() => undefined); // The extension handles its own rejection.
    },
    use: (label, resource) => scope.use(label, resource),
    defer: (label, release) => scope.defer(label, release),
  };
}

interface OpenStorageOptions {
  readonly gate: GateOptions;
  readonly registry: ServiceRegistry;
  readonly life: HostGuards;
}

/** @throws {KernelError} `CAPABILITY_DENIED`, also for a single namespace without a grant. */
function openStorage(namespace: string, { gate, registry, life }: OpenStorageOptions): Storage {
  const { extension, granted } = gate;
  if (granted.storage === undefined) throw capabilityDenied(gate, "storage", `open storage "${namespace}"`);
  const slot = registry.service(storageDriverHandle.id);
  const driver = referenceTo(
    storageDriverHandle,
    sourceOf(slot, life.signal, (offered) => offered?.view),
  );
  return createStorageClient(namespace, {
    extension,
    grant: granted.storage,
    host: registry,
    driver: () => {
      life.assertNotClosed(); // Releases may still write: storage closes after the last one.
      return driver.get();
    },
    signal: life.signal,
  });
}

/** @throws {KernelError} `CONFIG_INVALID`. @throws {TypeError} for an asynchronous schema. */
function readConfig<Settings>(extension: string, config: unknown, schema: ValueSchema<Settings>): Settings {
  const result = schema["~standard"].validate(config);
  if (result instanceof Promise)
    throw new TypeError(`Cannot configure "${extension}": its schema must not be asynchronous`);
  if (result.issues === undefined) return result.value;
  const message = `Cannot configure "${extension}": ${describeIssues(result.issues)}`;
  throw new KernelError("CONFIG_INVALID", message, { extension });
}
