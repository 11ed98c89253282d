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

/** Draining may continue concurrently with other operations. */
export interface BegunSwap {
  readonly outcome: SwapReport["outcome"];
  readonly to: GenerationInfo;
  readonly error?: KernelError;
  readonly drain?: DrainResult | Promise<DrainResult>;
}

export function lostServices({ old, next }: Replacement): readonly ContractId[] {
  const { provides = [] } = next.manifest;
  return (old.manifest.provides ?? []).filter((service) => !provides.includes(service));
}

export function takeOver(came: Activation, { entry, old, next }: Replacement, entries: Entries): void {
  entry.activation = came;
  entries.redefine(entry, next);
  came.publish(old);
  next.onTakeOver?.();
}
