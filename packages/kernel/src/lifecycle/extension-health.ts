import { requestedGrant } from "../capability/requested-grant.ts";
import type { Entry } from "./entry.ts";
import type { Manifest } from "../contract/extension.ts";
import type { ContractId } from "../contract/handle.ts";
import type { ExtensionHealth } from "../contract/kernel.ts";
import { requiredServices } from "./load-order.ts";

export interface HealthSources {
  readonly missing: readonly ContractId[];
  readonly all: Iterable<Entry>;
}

export function healthOf(entry: Entry, { missing, all }: HealthSources): ExtensionHealth {
  const { definition, activation, draining, lastError, lastSwap } = entry;
  const { manifest, granted, trust } = definition;
  const damage = entry.damagedRecords.report();
  return {
    id: manifest.id,
    ...entry.generation,
    trust,
    phase: entry.phase,
    since: entry.since,
    provides: manifest.provides ?? [],
    requires: requiredServices(manifest),
    uses: manifest.dependsOn?.optional ?? [],
    contributes: manifest.contributes ?? [],
    reads: manifest.reads ?? [],
    waitsFor: entry.phase === "waiting" ? missing : [],
    usedBy: usersOf(manifest, all),
    callsInFlight: activation?.leases.size ?? 0,
    ...(draining === undefined
      ? {}
      : {
          draining: {
            version: draining.activation.manifest.version,
            generation: draining.activation.generation,
            callsInFlight: draining.activation.leases.size,
          },
        }),
    asked: requestedGrant(manifest),
    granted,
    refusals: entry.refusals.report(),
    ...(damage === undefined ? {} : { damage }),
    ...(lastError === undefined ? {} : { lastError: { code: lastError.code, message: lastError.message } }),
    ...(lastSwap === undefined ? {} : { lastSwap }),
  };
}

function usersOf({ id, provides = [], contributes = [] }: Manifest, all: Iterable<Entry>): readonly string[] {
  if (provides.length === 0 && contributes.length === 0) return [];
  const users = [...all].filter(({ definition: { manifest }, activation }) => {
    if (activation === undefined || manifest.id === id) return false;
    const { dependsOn, reads } = manifest;
    return (
      provides.some((service) => dependsOn?.optional?.includes(service) === true) ||
      contributes.some((point) => reads?.includes(point)) ||
      provides.some((service) => requiredServices(manifest).includes(service))
    );
  });
  return users.map((user) => user.id);
}
