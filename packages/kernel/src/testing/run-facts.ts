import type { Clock } from "../time/clock.ts";
import type { ContractId } from "../contract/handle.ts";
import type { Phase } from "../contract/kernel.ts";

export interface RunFacts {
  readonly clock: Clock;
  readonly isThere: (service: ContractId) => boolean;
  readonly phaseOf: (member: number) => Phase | undefined;
  readonly violate: (what: string) => void;
}
