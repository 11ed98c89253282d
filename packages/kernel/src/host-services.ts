import { askedContracts } from "./asked-grant.ts";
import type { ContractUse, Grant } from "./capabilities.ts";
import type { Manifest } from "./extension.ts";
import type { ContractId, ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { HostLife } from "./host-life.ts";
import type { Contributions, Host, ServiceReference } from "./host.ts";
import { KernelError } from "./kernel-error.ts";
import type { LiveValue } from "./live-value.ts";
import type { Offers } from "./offers.ts";
import { contributionsTo, referenceTo, sourceOf } from "./reference.ts";
import type { ServiceRegistry } from "./service-registry.ts";

type HostServices = Pick<Host, "getService" | "provideService" | "predecessor" | "contribute" | "contributions">;

export interface HostServicesOptions {
  readonly manifest: Manifest;
  readonly granted: Grant;
  /** Told of what was refused. */
  readonly onRefusal: (error: unknown) => void;
  readonly registry: ServiceRegistry;
  readonly life: HostLife;
  readonly offers: Offers;
  /** What the generation offers that this one has replaced. */
  readonly predecessor: LiveValue<Offers | undefined>;
}

/** How an extension and others meet: what it uses of theirs and offers to them, as far as its manifest declares it. */
export function hostServices(options: HostServicesOptions): HostServices {
  const { manifest, granted, onRefusal, registry, life, offers, predecessor } = options;
  const { id } = manifest;
  const asked = askedContracts(manifest);
  const assertGranted = (contract: ContractId, use: ContractUse): void => {
    const key = use === "uses" ? "dependsOn" : use;
    if (asked[use]?.includes(contract) !== true) {
      const message = `Cannot use "${contract}" in "${id}": add it to ${key} of its manifest`;
      throw new KernelError("SERVICE_UNDECLARED", message, { extension: id });
    }
    if (granted[use]?.includes(contract) === true) return;
    const message = `Cannot use "${contract}" in "${id}": its manifest names it in ${key}, and it was not granted; grant it under "${use}"`;
    const error = new KernelError("CAPABILITY_DENIED", message, { extension: id });
    onRefusal(error);
    throw error;
  };

  return {
    getService: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
      life.assertNotClosed();
      assertGranted(handle.id, "uses");
      return referenceTo(handle, sourceOf(registry.service(handle.id), life.signal));
    },
    provideService: (handle, service) => {
      life.assertOpen();
      assertGranted(handle.id, "provides");
      if (offers.refusesService(handle.id)) {
        const message = `Cannot provide "${handle.id}" in "${id}": provide it once, before activate resolves`;
        throw new KernelError("ACTIVATE_FAILED", message, { extension: id });
      }
      offers.addService(handle.id, service);
    },
    predecessor: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
      assertGranted(handle.id, "provides");
      return referenceTo(
        handle,
        sourceOf(predecessor, life.signal, (replaced) => replaced?.pinnedView(handle.id)),
      );
    },
    contribute: (point, value) => {
      life.assertOpen();
      assertGranted(point.id, "contributes");
      offers.addContribution(point, value);
    },
    contributions: <Value>(point: ExtensionPoint<Value>): Contributions<Value> => {
      life.assertNotClosed();
      assertGranted(point.id, "reads");
      return contributionsTo(point, sourceOf(registry.point(point.id), life.signal));
    },
  };
}
