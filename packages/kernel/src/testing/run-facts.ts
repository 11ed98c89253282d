import type { Clock } from "../time/clock.ts";
import type { ContractId } from "../contract/handle.ts";
import type { Phase } from "../contract/kernel.ts";

/** What is known of a run as a whole. */
export interface RunFacts {
  readonly clock: Clock;
  readonly isThere: (service: ContractId) => boolean;
  /** As it was seen last; `undefined`: it is not registered. */
  readonly phaseOf: (member: number) => Phase | undefined;
  /** Notes what must not be. */
  readonly violate: (what: string) => void;
}
