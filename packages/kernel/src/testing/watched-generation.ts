import { definePoint, type ContractId } from "../contract/handle.ts";
import type { Clock } from "../time/clock.ts";
import type { Phase } from "../contract/kernel.ts";
import type { Host } from "../contract/host.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { idOf, memberOfService } from "./kernel-step.ts";

export interface RunFacts {
  readonly clock: Clock;
  readonly isThere: (service: ContractId) => boolean;
  readonly phaseOf: (member: number) => Phase | undefined;
  readonly violate: (what: string) => void;
}

export interface WatchedGenerationOptions {
  readonly member: number;
  /** Counts all generations of a run from 1. */
  readonly order: number;
  readonly host: Host;
  readonly required: readonly ContractId[];
  readonly facts: RunFacts;
}

const releaseCount = 3;

export class WatchedGeneration {
  readonly member: number;
  readonly order: number;
  drainingAt: number | undefined;
  closingAt: number | undefined;
  readonly #released: number[] = [];

  constructor({ member, order, host, required, facts }: WatchedGenerationOptions) {
    this.member = member;
    this.order = order;
    for (const service of required)
      if (!facts.isThere(service)) facts.violate(`${this.name} started without ${service}`);
    host.draining.addEventListener("abort", () => void (this.drainingAt = facts.clock.now()));
    host.signal.addEventListener("abort", () => void (this.closingAt = facts.clock.now()));
    for (let index = 0; index < releaseCount; index += 1)
      host.defer(`release ${index}`, async () => {
        if (this.#released.length !== releaseCount - 1 - index)
          facts.violate(`${this.name}: release ${index} in the wrong order, or twice`);
        // Expected after a provider failed during an exclusive swap.
        for (const service of required)
          if (!facts.isThere(service) && facts.phaseOf(memberOfService(service)) !== "failed")
            facts.violate(`${this.name} ended without ${service}`);
        await Promise.resolve();
        this.#released.push(index);
      });
    const tick = (): void => {
      if (isClosed(host)) facts.violate(`A timer of ${this.name} was called after its end`);
      host.clock.setTimer(tick, 700);
    };
    host.clock.setTimer(tick, 700);
  }

  get name(): string {
    return `${idOf(this.member)} (${this.order})`;
  }

  get isOver(): boolean {
    return this.#released.length === releaseCount;
  }
}

/** A closed host throws `SCOPE_CLOSED` from every member. */
function isClosed(host: Host): boolean {
  try {
    host.contributions(definePoint("undeclared@1"));
    return false;
  } catch (error) {
    return KernelError.is(error) && error.code === "SCOPE_CLOSED";
  }
}
