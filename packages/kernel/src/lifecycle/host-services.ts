import { requestedContracts } from "../capability/requested-grant.ts";
import { defined } from "../contract/defined.ts";
import type { Caller } from "../contract/caller.ts";
import type { ContractUse, Grant } from "../contract/capabilities.ts";
import type { Manifest } from "../contract/extension.ts";
import type { ContractId, ExtensionPoint, ServiceHandle, MemberKind, Contract } from "../contract/handle.ts";
import { GuardedViews } from "../services/guarded-view.ts";
import type { HostGuards } from "./host-guards.ts";
import type { Contribution, Contributions, Host, ServiceReference } from "../contract/host.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { ReservedNames, Trust } from "../contract/kernel.ts";
import type { LiveValue } from "../services/live-value.ts";
import type { Offers } from "../services/offers.ts";
import { contributionsTo, referenceTo, sourceOf } from "../services/reference.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";

type HostServices = Pick<Host, "getService" | "provideService" | "predecessor" | "contribute" | "contributions">;

export interface HostServicesOptions {
  readonly manifest: Manifest;
  readonly granted: Grant;
  readonly trust: Trust;
  readonly reserved: ReservedNames;
  readonly onRefusal: (error: unknown) => void;
  readonly registry: ServiceRegistry;
  readonly life: HostGuards;
  readonly offers: Offers;
  readonly predecessor: LiveValue<Offers | undefined>;
}

export function hostServices(options: HostServicesOptions): HostServices {
  const { manifest, granted, trust, reserved, onRefusal, registry, life, offers, predecessor } = options;
  const { id } = manifest;
  // A copy: other extensions receive this object, and must not be able to modify the grant.
  const caller: Caller = frozenCopy({ extension: id, trust, granted });
  const views = new GuardedViews(life.assertNotClosed);
  /** Core extensions end with the host, so their views are not guarded. */
  const held = (view: unknown): unknown => (trust === "core" ? view : views.of(view));
  const refuse = (message: string): never => {
    const error = new KernelError("CAPABILITY_DENIED", message, { extension: id });
    onRefusal(error);
    throw error;
  };
  const asked = requestedContracts(manifest);
  const assertGranted = (contract: ContractId, use: ContractUse): void => {
    const key = use === "uses" ? "dependsOn" : use;
    if (asked[use]?.includes(contract) !== true) {
      const message = `Cannot use "${contract}" in "${id}": add it to ${key} of its manifest`;
      throw new KernelError("SERVICE_UNDECLARED", message, { extension: id });
    }
    if (granted[use]?.includes(contract) === true) return;
    refuse(
      `Cannot use "${contract}" in "${id}": its manifest lists it in ${key}, but it is not granted; grant it under "${use}"`,
    );
  };

  return {
    getService: <Service extends object>(brought: ServiceHandle<Service>): ServiceReference<Service> => {
      const handle: ServiceHandle<Service> = readContract(brought);
      life.assertNotClosed();
      assertGranted(handle.id, "uses");
      const slot = registry.service(handle.id);
      return referenceTo(
        handle,
        sourceOf(slot, life.signal, (offered) => held(offered?.viewFor(caller))),
      );
    },
    provideService: (brought, service, { forCaller } = {}) => {
      const handle = readContract(brought);
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
    predecessor: <Service extends object>(brought: ServiceHandle<Service>): ServiceReference<Service> => {
      const handle: ServiceHandle<Service> = readContract(brought);
      assertGranted(handle.id, "provides");
      return referenceTo(
        handle,
        sourceOf(predecessor, life.signal, (replaced) => replaced?.pinnedView(handle.id)),
      );
    },
    contribute: (brought, value) => {
      const point = readContract(brought);
      life.assertOpen();
      assertGranted(point.id, "contributes");
      const contract = registry.contract(point);
      const { key } = contract;
      // Read once: a getter could return another name later.
      const name = key === undefined ? undefined : String(Reflect.get(Object(value), key));
      const problems = memberProblems(value, contract.members);
      if (problems.length > 0) {
        const message = `Cannot contribute to "${point.id}" in "${id}": ${problems.join("; ")}`;
        throw new KernelError("CONTRIBUTION_INVALID", message, { extension: id });
      }
      const holder = (): string | undefined => {
        const other = registry
          .point(point.id)
          .current.find(
            (contribution) =>
              contribution.extension !== id && Reflect.get(Object(contribution.value), key ?? "") === name,
          );
        return other === undefined ? undefined : `extension "${other.extension}"`;
      };
      const owner = trust === "core" || name === undefined ? undefined : (reserved(point.id, name, id) ?? holder());
      if (owner !== undefined)
        refuse(
          `Cannot contribute "${name}" to "${point.id}" in "${id}": that name belongs to ${owner}; choose another`,
        );
      offers.addContribution(point.id, value, key === undefined || name === undefined ? undefined : { key, name });
    },
    contributions: <Value>(brought: ExtensionPoint<Value>): Contributions<Value> => {
      const point: ExtensionPoint<Value> = readContract(brought);
      life.assertNotClosed();
      assertGranted(point.id, "reads");
      const heldList = (list: readonly Contribution<unknown>[]): readonly Contribution<unknown>[] =>
        trust === "core"
          ? list
          : list.map((contribution) => ({ ...contribution, value: held(contribution.value) }));
      return contributionsTo(point, sourceOf(registry.point(point.id), life.signal, heldList));
    },
  };
}

function frozenCopy<Value>(value: Value): Value {
  return frozenDeep(structuredClone(value));
}

function frozenDeep<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozenDeep);
  return Object.freeze(value);
}

/** Returns problems such as `"get" is missing, and must be a function`. */
function memberProblems(value: unknown, members: Readonly<Record<string, MemberKind>> = {}): readonly string[] {
  return Object.entries(members).flatMap(([name, kind]) => problemOf(value, name, kind) ?? []);
}

function problemOf(value: unknown, name: string, kind: MemberKind): string | undefined {
  const isOptional = kind.endsWith("?");
  const wanted = isOptional ? kind.slice(0, -1) : kind;
  if (wanted === "any") return undefined;
  let found: string;
  try {
    found = kindOf(Reflect.get(Object(value), name));
  } catch {
    found = "broken"; // Its getter throws.
  }
  if (found === wanted || (isOptional && found === "missing")) return undefined;
  return `"${name}" is ${found === "missing" || found === "broken" ? found : `a ${found}`}, and must be a ${wanted}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "list" : typeof value;
}

/** Reads each member of an extension's handle once: a getter could return different ids for the check and the use. */
function readContract({ id, members, key }: Contract): Contract {
  return defined<Contract>({ id, members: members && { ...members }, key });
}
