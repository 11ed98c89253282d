import type { Manifest } from "./extension.ts";
import type { ContractId, ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { HostLife } from "./host-life.ts";
import type { Contributions, Host, ServiceReference } from "./host.ts";
import { KernelError } from "./kernel-error.ts";
import type { LiveValue } from "./live-value.ts";
import { requiredServices } from "./load-order.ts";
import type { Offers } from "./offers.ts";
import { contributionsTo, referenceTo, sourceOf } from "./reference.ts";
import type { ServiceRegistry } from "./service-registry.ts";

type HostServices = Pick<Host, "getService" | "provideService" | "predecessor" | "contribute" | "contributions">;

export interface HostServicesOptions {
  readonly manifest: Manifest;
  readonly registry: ServiceRegistry;
  readonly life: HostLife;
  readonly offers: Offers;
  /** What the generation offers that this one has replaced. */
  readonly predecessor: LiveValue<Offers | undefined>;
}

/** How an extension and others meet: what it uses of theirs and offers to them, as far as its manifest declares it. */
export function hostServices(options: HostServicesOptions): HostServices {
  const { manifest, registry, life, offers, predecessor } = options;
  const { id, dependsOn, provides = [], contributes = [], reads = [] } = manifest;
  const usable = [...requiredServices(manifest), ...(dependsOn?.optional ?? [])];
  const assertDeclared = (contract: ContractId, declared: readonly ContractId[], key: string): void => {
    if (declared.includes(contract)) return;
    const message = `Cannot use "${contract}" in "${id}": add it to ${key} of its manifest`;
    throw new KernelError("SERVICE_UNDECLARED", message, { extension: id });
  };

  return {
    getService: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
      life.assertNotClosed();
      assertDeclared(handle.id, usable, "dependsOn");
      return referenceTo(handle, sourceOf(registry.service(handle.id), life.signal));
    },
    provideService: (handle, service) => {
      life.assertOpen();
      assertDeclared(handle.id, provides, "provides");
      if (offers.refusesService(handle.id)) {
        const message = `Cannot provide "${handle.id}" in "${id}": provide it once, before activate resolves`;
        throw new KernelError("ACTIVATE_FAILED", message, { extension: id });
      }
      offers.addService(handle.id, service);
    },
    predecessor: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
      assertDeclared(handle.id, provides, "provides");
      return referenceTo(
        handle,
        sourceOf(predecessor, life.signal, (replaced) => replaced?.pinnedView(handle.id)),
      );
    },
    contribute: (point, value) => {
      life.assertOpen();
      assertDeclared(point.id, contributes, "contributes");
      offers.addContribution(point, value);
    },
    contributions: <Value>(point: ExtensionPoint<Value>): Contributions<Value> => {
      life.assertNotClosed();
      assertDeclared(point.id, reads, "reads");
      return contributionsTo(point, sourceOf(registry.point(point.id), life.signal));
    },
  };
}
