import { defineExtension, type Extension } from "../contract/extension.ts";
import { defineHandle, type ContractId, type ServiceHandle } from "../contract/handle.ts";
import type { Host } from "../contract/host.ts";
import { idOf, serviceOf, type Code, type Member } from "./kernel-step.ts";
import type { WatchedCall, WatchedService } from "./watched-calls.ts";
import { type RunFacts, WatchedGeneration } from "./watched-generation.ts";

export function handleOf(member: number): ServiceHandle<WatchedService> {
  return defineHandle(serviceOf(member));
}

export class WatchedExtensions {
  readonly #members: readonly Member[];
  readonly #facts: RunFacts;
  readonly #generations: WatchedGeneration[] = [];
  readonly #served: number[] = [];
  #isClosed = false;

  constructor(members: readonly Member[], facts: RunFacts) {
    this.#members = members;
    this.#facts = facts;
  }

  get generations(): readonly WatchedGeneration[] {
    return this.#generations;
  }

  close(): void {
    this.#isClosed = true;
  }

  make(member: number, { starts, isProviding }: Code): Extension {
    const { isExclusive, dependsOn } = this.#members[member] ?? { isExclusive: false, dependsOn: [] };
    const named = (kind: "required" | "optional"): readonly ContractId[] =>
      dependsOn.flatMap((dependency, index) => (dependency === kind ? [serviceOf(index)] : []));
    const dependencies = [...named("required"), ...named("optional")];
    let started = 0;
    return defineExtension(
      {
        id: idOf(member),
        version: "1.0.0",
        api: "^1",
        swap: isExclusive ? "exclusive" : "overlap",
        dependsOn: { required: named("required"), optional: named("optional") },
        provides: isProviding ? [serviceOf(member)] : [],
      },
      async (host) => {
        const start = starts[started] ?? "ok";
        started += 1;
        const generation = this.#begin(member, host, named("required"));
        if (start === "throw") throw new Error("no luck");
        if (start === "reject") await Promise.reject(new Error("no luck"));
        if (start === "late") await new Promise<never>(() => {});
        if (start === "slow") await new Promise<void>((resolve) => void host.clock.setTimer(resolve, 500));
        const references = dependencies.map((id) => host.getService(defineHandle<WatchedService>(id)));
        if (!isProviding || start === "missing") return;
        host.provideService(handleOf(member), {
          call: async (call) => {
            this.#serve(call, generation);
            if (call.kind === "short") return;
            await call.gate.promise;
            if (call.kind !== "chain") return;
            const inner = { ...call, kind: "long" as const, begun: 0 };
            for (const reference of references) await reference.current?.call(inner);
          },
          items: (call) => {
            this.#serve(call, generation);
            return items(call);
          },
          open: async (call) => {
            this.#serve(call, generation);
            await call.gate.promise;
            return items(call);
          },
        });
      },
    );
  }

  #begin(member: number, host: Host, required: readonly ContractId[]): WatchedGeneration {
    const order = this.#generations.length + 1;
    const generation = new WatchedGeneration({ member, order, host, required, facts: this.#facts });
    this.#generations.push(generation);
    if (this.#isClosed) this.#facts.violate(`${generation.name} started after close`);
    return generation;
  }

  #serve(call: WatchedCall, generation: WatchedGeneration): void {
    const { member, order, name, closingAt } = generation;
    call.begun += 1;
    call.generation = generation;
    if (order < (this.#served[member] ?? 0)) this.#facts.violate(`${name} served a new call behind a newer one`);
    this.#served[member] = order;
    if (closingAt !== undefined) this.#facts.violate(`A call reached ${name}, which was closed`);
  }
}

async function* items({ gate }: WatchedCall): AsyncGenerator<number> {
  yield 0;
  await gate.promise;
  yield 1;
}
