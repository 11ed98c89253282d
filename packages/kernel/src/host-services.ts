import { askedContracts } from "./asked-grant.ts";
import type { Caller } from "./caller.ts";
import type { ContractUse, Grant } from "./capabilities.ts";
import type { Manifest } from "./extension.ts";
import type { ContractId, ExtensionPoint, ServiceHandle } from "./handle.ts";
import type { HostLife } from "./host-life.ts";
import type { Contributions, Host, ServiceReference } from "./host.ts";
import { KernelError } from "./kernel-error.ts";
import type { ReservedNames, Trust } from "./kernel.ts";
import type { LiveValue } from "./live-value.ts";
import { memberProblems } from "./member-problems.ts";
import type { Offers } from "./offers.ts";
import { contributionsTo, referenceTo, sourceOf } from "./reference.ts";
import type { ServiceRegistry } from "./service-registry.ts";

type HostServices = Pick<Host, "getService" | "provideService" | "predecessor" | "contribute" | "contributions">;

export interface HostServicesOptions {
  readonly manifest: Manifest;
  readonly granted: Grant;
  readonly trust: Trust;
  /** As `KernelOptions.reserved`. */
  readonly reserved: ReservedNames;
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
  const { manifest, granted, trust, reserved, onRefusal, registry, life, offers, predecessor } = options;
  const { id } = manifest;
  const caller: Caller = { extension: id, trust, granted };
  const refuse = (message: string): never => {
    const error = new KernelError("CAPABILITY_DENIED", message, { extension: id });
    onRefusal(error);
    throw error;
  };
  const asked = askedContracts(manifest);
  const assertGranted = (contract: ContractId, use: ContractUse): void => {
    const key = use === "uses" ? "dependsOn" : use;
    if (asked[use]?.includes(contract) !== true) {
      const message = `Cannot use "${contract}" in "${id}": add it to ${key} of its manifest`;
      throw new KernelError("SERVICE_UNDECLARED", message, { extension: id });
    }
    if (granted[use]?.includes(contract) === true) return;
    refuse(
      `Cannot use "${contract}" in "${id}": its manifest names it in ${key}, and it was not granted; grant it under "${use}"`,
    );
  };

  return {
    getService: <Service extends object>(handle: ServiceHandle<Service>): ServiceReference<Service> => {
      life.assertNotClosed();
      assertGranted(handle.id, "uses");
      const slot = registry.service(handle.id);
      return referenceTo(
        handle,
        sourceOf(slot, life.signal, (offered) => offered?.viewFor(caller)),
      );
    },
    provideService: (handle, service, { forCaller } = {}) => {
      life.assertOpen();
      assertGranted(handle.id, "provides");
      if (offers.refusesService(handle.id)) {
        const message = `Cannot provide "${handle.id}" in "${id}": provide it once, before activate resolves`;
        throw new KernelError("ACTIVATE_FAILED", message, { extension: id });
      }
      const contract = registry.contract(handle);
      const problems = memberProblems(service, contract.members);
      if (problems.length > 0) {
        const message = `Cannot provide "${handle.id}" in "${id}": ${problems.join("; ")}`;
        throw new KernelError("ACTIVATE_FAILED", message, { extension: id });
      }
      offers.addService(contract, service, forCaller);
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
      const contract = registry.contract(point);
      const { key } = contract;
      // Read once: a getter could give another name a moment later.
      const name = key === undefined ? undefined : String(Reflect.get(Object(value), key));
      const problems = memberProblems(value, contract.members);
      if (problems.length > 0) {
        const message = `Cannot contribute to "${point.id}" in "${id}": ${problems.join("; ")}`;
        throw new KernelError("CONTRIBUTION_INVALID", message, { extension: id });
      }
      const owner = trust === "core" || name === undefined ? undefined : reserved(point.id, name);
      if (owner !== undefined)
        refuse(
          `Cannot contribute "${name}" to "${point.id}" in "${id}": that name is of ${owner}; take another one`,
        );
      offers.addContribution(point.id, value, key === undefined || name === undefined ? undefined : { key, name });
    },
    contributions: <Value>(point: ExtensionPoint<Value>): Contributions<Value> => {
      life.assertNotClosed();
      assertGranted(point.id, "reads");
      return contributionsTo(point, sourceOf(registry.point(point.id), life.signal));
    },
  };
}
