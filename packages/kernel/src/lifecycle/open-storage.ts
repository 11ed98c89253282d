import { capabilityDenied, type GateOptions } from "../capability/capability-gate.ts";
import type { HostGuards } from "./host-guards.ts";
import { referenceTo, sourceOf } from "../services/reference.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import { createStorageClient } from "../storage/storage-client.ts";
import { storageDriverHandle, type Storage } from "../contract/storage.ts";

export interface OpenStorageOptions {
  readonly gate: GateOptions;
  readonly registry: ServiceRegistry;
  readonly life: HostGuards;
}

/** @throws {KernelError} `CAPABILITY_DENIED`, also for a single namespace without a grant. */
export function openStorage(namespace: string, { gate, registry, life }: OpenStorageOptions): Storage {
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
