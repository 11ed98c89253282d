import type { Activation } from "./activation.ts";
import type { Definition } from "./definition.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import type { Generations } from "./generations.ts";
import type { ContractId } from "../contract/handle.ts";
import type { GenerationInfo, KernelTimeouts, SwapReport } from "../contract/kernel.ts";
import type { KernelError } from "../failures/kernel-error.ts";
import type { DrainResult } from "../services/leases.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** A generation that runs, and what is to come in its place. */
export interface Replacement {
  readonly entry: Entry;
  readonly old: Activation;
  readonly next: Definition;
}

export interface SwapContext {
  readonly entries: Entries;
  readonly generations: Generations;
  readonly lifecycle: Lifecycle;
  readonly timeouts: KernelTimeouts;
}

/** A swap that has begun: what is known of it, and what is left to do beside other operations. */
export interface BegunSwap {
  readonly outcome: SwapReport["outcome"];
  readonly to: GenerationInfo;
  readonly error?: KernelError;
  /** The old generation's calls; absent: none are left. */
  readonly drain?: DrainResult | Promise<DrainResult>;
}

/** What nobody provides any more once the new code is there. */
export function lostServices({ old, next }: Replacement): readonly ContractId[] {
  const { provides = [] } = next.manifest;
  return (old.manifest.provides ?? []).filter((service) => !provides.includes(service));
}

/** The one that came serves from here on, and the old one no longer, in one step. */
export function takeOver(came: Activation, { entry, old, next }: Replacement, entries: Entries): void {
  entry.activation = came;
  entries.redefine(entry, next);
  came.publish(old);
  next.onTakeOver?.();
}
