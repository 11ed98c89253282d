import type { Activation } from "./activation.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Activate, Manifest } from "./extension.ts";
import type { ContractId } from "./handle.ts";
import type { ExtensionHealth, Phase, SwapReport, Trust } from "./kernel.ts";
import type { KernelError } from "./kernel-error.ts";
import { requiredServices } from "./load-order.ts";
import type { Refusals } from "./refusals.ts";

/** Code that can be started, and what it gets. */
export interface Definition {
  readonly manifest: Manifest;
  readonly activate: Activate;
  readonly granted: Capabilities;
  readonly trust: Trust;
}

/** A generation that was replaced, until its calls have ended and its scope is closed. */
export interface Draining {
  readonly activation: Activation;
  /** Does not wait for its calls any longer. */
  hurry(): void;
  readonly done: Promise<unknown>;
}

/** An extension that the kernel knows, whatever has become of it. */
export interface Entry {
  definition: Definition;
  readonly refusals: Refusals;
  /** What the operator wants: `false` after an unload, or after a start that failed. */
  isWanted: boolean;
  phase: Phase;
  /** In milliseconds since the Unix epoch. */
  since: number;
  /** Of the newest activation; each try counts. */
  lastGeneration: number;
  activation: Activation | undefined;
  draining: Draining | undefined;
  lastError: KernelError | undefined;
  lastSwap: SwapReport | undefined;
}

export interface HealthSources {
  /** Required services that nobody provides. */
  readonly missing: readonly ContractId[];
  readonly all: readonly Entry[];
}

export function healthOf(entry: Entry, { missing, all }: HealthSources): ExtensionHealth {
  const { definition, activation, draining, lastError, lastSwap } = entry;
  const { manifest, granted, trust } = definition;
  return {
    id: manifest.id,
    version: manifest.version,
    trust,
    phase: entry.phase,
    generation: activation?.generation ?? entry.lastGeneration,
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
    asked: manifest.capabilities ?? {},
    granted,
    refusals: entry.refusals.report(),
    ...(lastError === undefined ? {} : { lastError: { code: lastError.code, message: lastError.message } }),
    ...(lastSwap === undefined ? {} : { lastSwap }),
  };
}

/** Ids of those that run, and have named something that this one provides or contributes to. */
function usersOf({ id, provides = [], contributes = [] }: Manifest, all: readonly Entry[]): readonly string[] {
  const users = all.filter(({ definition: { manifest }, activation }) => {
    if (activation === undefined || manifest.id === id) return false;
    const named = new Set([...requiredServices(manifest), ...(manifest.dependsOn?.optional ?? [])]);
    return (
      provides.some((service) => named.has(service)) || contributes.some((point) => manifest.reads?.includes(point))
    );
  });
  return users.map(({ definition }) => definition.manifest.id);
}
