import { KernelError } from "../failures/kernel-error.ts";
import { idOf, serviceOf, type CallKind, type Member } from "./kernel-step.ts";
import type { RunFacts, WatchedGeneration } from "./watched-generation.ts";
import { timeouts } from "./worker.ts";

export interface WatchedService {
  call(call: WatchedCall): Promise<unknown>;
  items(call: WatchedCall): AsyncIterable<number>;
  open(call: WatchedCall): Promise<AsyncIterable<number>>;
}

export interface WatchedCall {
  readonly member: number;
  readonly kind: CallKind;
  readonly gate: PromiseWithResolvers<void>;
  generation: WatchedGeneration | undefined;
  begun: number;
  readonly isKept: boolean;
  outcome: "pending" | "done" | "failed";
}

export class WatchedCalls {
  readonly #members: readonly Member[];
  readonly #facts: RunFacts;
  readonly #calls: WatchedCall[] = [];

  constructor(members: readonly Member[], facts: RunFacts) {
    this.#members = members;
    this.#facts = facts;
  }

  begin(service: WatchedService, options: Pick<WatchedCall, "member" | "kind" | "isKept">): void {
    const call: WatchedCall = {
      ...options,
      gate: Promise.withResolvers(),
      generation: undefined,
      begun: 0,
      outcome: "pending",
    };
    this.#calls.push(call);
    this.#follow(call, service).then(
      () => {
        call.outcome = "done";
        if (call.begun !== 1) this.#facts.violate(`A call that was done had begun ${call.begun} times`);
      },
      (error: unknown) => {
        call.outcome = "failed";
        this.#judge(call, error);
      },
    );
  }

  end(index: number): void {
    const open = this.#calls.filter(({ kind, outcome }) => outcome === "pending" && kind !== "short");
    open[index % Math.max(1, open.length)]?.gate.resolve();
  }

  checkNoneLost(): void {
    for (const [index, { outcome, kind }] of this.#calls.entries())
      if (outcome === "pending") this.#facts.violate(`call ${index} (${kind}) was lost`);
  }

  async #follow(call: WatchedCall, service: WatchedService): Promise<void> {
    if (call.kind !== "items" && call.kind !== "open") {
      await service.call(call);
      return;
    }
    const items = call.kind === "items" ? service.items(call) : await service.open(call);
    const got: number[] = [];
    for await (const item of items) got.push(item);
    if (got.join() !== "0,1") this.#facts.violate(`Items were lost or repeated: ${got.join()}`);
  }

  /** A call may fail without a provider; once begun, only at a deadline. */
  #judge(call: WatchedCall, error: unknown): void {
    const { clock, isThere, violate } = this.#facts;
    if (!KernelError.is(error) || (error.code !== "GENERATION_GONE" && error.code !== "SERVICE_UNAVAILABLE")) {
      violate(`A call failed: ${String(error)}`);
      return;
    }
    const { generation, member, begun } = call;
    if (begun > 1) violate(`A call began ${begun} times`);
    if (error.extension !== idOf(member) || call.kind === "chain") return;
    if (generation === undefined) {
      if (!call.isKept && isThere(serviceOf(member)))
        violate(`${idOf(member)} refused a call although its service was there`);
      return;
    }
    const now = clock.now();
    const drainMs = this.#members[member]?.isExclusive === true ? timeouts.holdTimeoutMs : timeouts.drainTimeoutMs;
    const isLate = generation.drainingAt !== undefined && now - generation.drainingAt >= drainMs;
    const isUnloaded = generation.closingAt !== undefined && now - generation.closingAt >= timeouts.graceMs;
    if (!isLate && !isUnloaded) violate(`${generation.name}: a call was cut before its time`);
  }
}
