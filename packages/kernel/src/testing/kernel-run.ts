import { createKernel } from "../create-kernel.ts";
import type { Clock } from "../clock.ts";
import { defineExtension, type Extension } from "../extension.ts";
import { FakeClock } from "../fake-clock.ts";
import { defineHandle, definePoint, type ContractId, type ServiceHandle } from "../handle.ts";
import type { Host } from "../host.ts";
import type { Kernel, Phase } from "../kernel.ts";
import { KernelError } from "../kernel-error.ts";
import { drivers } from "./test-kernel.ts";
import { timeouts } from "./worker.ts";

/** How a start goes. `missing`: it does not provide what it declares. */
export type Start = "ok" | "slow" | "throw" | "reject" | "late" | "missing";

export interface Code {
  /** Of the first start of this code, the second, and so on; then `ok`. */
  readonly starts: readonly Start[];
  /** Whether it has its service at all. */
  readonly isProviding: boolean;
}

export interface Member {
  readonly isExclusive: boolean;
  /** How it depends on each of those before it. */
  readonly dependsOn: readonly ("none" | "required" | "optional")[];
}

export type CallKind = "short" | "long" | "chain" | "items" | "open";

export type Step =
  | { readonly kind: "add" | "swap"; readonly member: number; readonly code: Code }
  | { readonly kind: "load" | "unload" | "remove" | "swap-anew"; readonly member: number }
  | { readonly kind: "call"; readonly member: number; readonly call: CallKind; readonly isKept: boolean }
  | { readonly kind: "end-call"; readonly index: number }
  | { readonly kind: "advance"; readonly ms: number };

interface Service {
  call(call: Call): Promise<unknown>;
  items(call: Call): AsyncIterable<number>;
  open(call: Call): Promise<AsyncIterable<number>>;
}

interface Call {
  readonly member: number;
  readonly kind: CallKind;
  readonly gate: PromiseWithResolvers<void>;
  generation: Generation | undefined;
  begun: number;
  /** Through a view that was taken long before. */
  readonly isKept: boolean;
  outcome: "pending" | "done" | "failed";
}

/** What is known of one life of an extension, seen from inside. */
interface Generation {
  readonly member: number;
  readonly order: number;
  readonly host: Host;
  readonly released: number[];
  drainingAt: number | undefined;
  closingAt: number | undefined;
}

/** Where a phase may lead; `gone`: the extension was removed. */
const arrows: Readonly<Record<Phase, readonly Phase[]>> = {
  waiting: ["starting", "stopped"],
  starting: ["active", "failed"],
  active: ["draining"],
  draining: ["waiting", "starting", "stopped"],
  stopped: ["waiting"],
  failed: ["waiting", "stopped"],
};

const releaseCount = 3;

/** Drives a kernel step by step, and notes in `violations` whatever must not be. */
export class KernelRun {
  readonly violations: string[] = [];
  readonly clock = new FakeClock();
  readonly #members: readonly Member[];
  readonly #handles: readonly ServiceHandle<Service>[];
  readonly #kernel: Kernel;
  readonly #generations: Generation[] = [];
  readonly #calls: Call[] = [];
  readonly #kept: (Service | undefined)[] = [];
  readonly #operations = new Set<Promise<unknown>>();
  readonly #phases = new Map<string, Phase>();
  /** Of the newest generation that has served a call, for each member. */
  readonly #served: number[] = [];
  #isClosed = false;

  constructor(members: readonly Member[]) {
    this.#members = members;
    this.#handles = members.map((_, index) => defineHandle<Service>(serviceOf(index)));
    // The kernel asks for the time whenever a phase has changed: so not one of them goes unseen.
    const clock: Clock = {
      now: () => {
        this.#lookAtPhases();
        return this.clock.now();
      },
      setTimer: (callback, delayMs) => this.clock.setTimer(callback, delayMs),
    };
    this.#kernel = createKernel({ drivers: { ...drivers(), clock }, ...timeouts });
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "add":
        this.#operate(this.#kernel.add([{ extension: this.#extension(step.member, step.code) }]));
        return;
      case "swap":
        this.#operate(this.#kernel.swap(idOf(step.member), { extension: this.#extension(step.member, step.code) }));
        return;
      case "swap-anew":
        this.#operate(this.#kernel.swap(idOf(step.member)));
        return;
      case "load":
      case "unload":
      case "remove":
        this.#operate(this.#kernel[step.kind](idOf(step.member)));
        return;
      case "call":
        this.#call(step.member, step.call, step.isKept);
        return;
      case "end-call":
        this.#endCall(step.index);
        return;
      case "advance":
        await this.clock.advance(step.ms);
    }
  }

  /** Waits until nothing is under way, and looks whether all is as it has to be. */
  async rest(): Promise<void> {
    while (this.#operations.size > 0) await this.clock.advance(1_000);
    for (const health of this.#kernel.list()) {
      const member = Number(health.id.slice(1));
      const hasAll = health.requires.every((service) => this.#isThere(service));
      if (health.phase === "active" && !hasAll) this.#violate(`${health.id} runs without what it requires`);
      if (health.phase === "waiting" && hasAll) this.#violate(`${health.id} waits for nothing`);
      if (!["active", "waiting", "stopped", "failed"].includes(health.phase))
        this.#violate(`${health.id} rests in ${health.phase}`);
      if (health.draining !== undefined) this.#violate(`${health.id} still drains`);
      if (health.phase === "active") continue;
      if (this.#generations.some((generation) => generation.member === member && !isOver(generation)))
        this.#violate(`${health.id} is ${health.phase}, and a generation of it still runs`);
    }
  }

  async close(): Promise<void> {
    const closing = this.#kernel.close();
    this.#operate(closing);
    while (this.#operations.size > 0) await this.clock.advance(1_000);
    this.#isClosed = true;
    await this.clock.advance(timeouts.drainTimeoutMs * 2);
    for (const { id, phase } of this.#kernel.list())
      if (phase !== "stopped") this.#violate(`${id} is ${phase} after close`);
    for (const generation of this.#generations)
      if (!isOver(generation)) this.#violate(`${nameOf(generation)} was not closed`);
    for (const [index, { outcome, kind }] of this.#calls.entries())
      if (outcome === "pending") this.#violate(`call ${index} (${kind}) was lost`);
    if (this.clock.pending > 0) this.#violate("a timer is left");
  }

  #violate(what: string): void {
    this.violations.push(what);
  }

  #operate(operation: Promise<unknown>): void {
    this.#operations.add(operation);
    operation
      .catch((error: unknown) => {
        if (!KernelError.is(error)) this.#violate(`An operation failed: ${String(error)}`);
      })
      .finally(() => this.#operations.delete(operation));
  }

  #isThere(service: ContractId): boolean {
    return this.#kernel.service(defineHandle<Service>(service)) !== undefined;
  }

  #lookAtPhases(): void {
    const seen = new Set<string>();
    for (const { id, phase } of this.#kernel.list()) {
      seen.add(id);
      const before = this.#phases.get(id) ?? "waiting"; // As it is registered.
      this.#phases.set(id, phase);
      if (phase !== before && !arrows[before].includes(phase)) this.#violate(`${id}: ${before} -> ${phase}`);
    }
    for (const id of this.#phases.keys()) if (!seen.has(id)) this.#phases.delete(id);
  }

  #call(member: number, kind: CallKind, isKept: boolean): void {
    const handle = this.#handles[member];
    if (handle === undefined) return;
    const fresh = this.#kernel.service(handle);
    this.#kept[member] ??= fresh;
    const service = isKept ? this.#kept[member] : fresh;
    if (service === undefined) return;
    const call: Call = {
      member,
      kind,
      gate: Promise.withResolvers(),
      generation: undefined,
      begun: 0,
      isKept: service !== fresh,
      outcome: "pending",
    };
    this.#calls.push(call);
    this.#follow(call, service).then(
      () => {
        call.outcome = "done";
        if (call.begun !== 1) this.#violate(`A call that was done had begun ${call.begun} times`);
      },
      (error: unknown) => {
        call.outcome = "failed";
        this.#judge(call, error);
      },
    );
  }

  async #follow(call: Call, service: Service): Promise<void> {
    if (call.kind !== "items" && call.kind !== "open") {
      await service.call(call);
      return;
    }
    const items = call.kind === "items" ? service.items(call) : await service.open(call);
    const got: number[] = [];
    for await (const item of items) got.push(item);
    if (got.join() !== "0,1") this.#violate(`Items were lost or repeated: ${got.join()}`);
  }

  #endCall(index: number): void {
    const open = this.#calls.filter(({ kind, outcome }) => outcome === "pending" && kind !== "short");
    open[index % Math.max(1, open.length)]?.gate.resolve();
  }

  /** A call may fail where nobody serves it; one that has begun, only when its time was up. */
  #judge(call: Call, error: unknown): void {
    if (!KernelError.is(error) || (error.code !== "GENERATION_GONE" && error.code !== "SERVICE_UNAVAILABLE")) {
      this.#violate(`A call failed: ${String(error)}`);
      return;
    }
    const { generation, member, begun } = call;
    if (begun > 1) this.#violate(`A call began ${begun} times`);
    if (error.extension !== idOf(member) || call.kind === "chain") return;
    if (generation === undefined) {
      if (!call.isKept && this.#isThere(serviceOf(member)))
        this.#violate(`${idOf(member)} refused a call although its service was there`);
      return;
    }
    const now = this.clock.now();
    const drainMs = this.#members[member]?.isExclusive === true ? timeouts.holdTimeoutMs : timeouts.drainTimeoutMs;
    const isLate = generation.drainingAt !== undefined && now - generation.drainingAt >= drainMs;
    const isUnloaded = generation.closingAt !== undefined && now - generation.closingAt >= timeouts.graceMs;
    if (!isLate && !isUnloaded) this.#violate(`${nameOf(generation)}: a call was cut before its time`);
  }

  #begin(call: Call, generation: Generation): void {
    call.begun += 1;
    call.generation = generation;
    const newest = this.#served[generation.member] ?? 0;
    if (generation.order < newest) this.#violate(`${nameOf(generation)} served a new call behind a newer one`);
    this.#served[generation.member] = generation.order;
    if (generation.closingAt !== undefined) this.#violate(`A call reached ${nameOf(generation)}, which was closed`);
  }

  #extension(member: number, { starts, isProviding }: Code): Extension {
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
        const generation = this.#open(member, host, named("required"));
        if (start === "throw") throw new Error("no luck");
        if (start === "reject") await Promise.reject(new Error("no luck"));
        if (start === "late") await new Promise<never>(() => {});
        if (start === "slow") await new Promise<void>((resolve) => void host.clock.setTimer(resolve, 500));
        const references = dependencies.map((id) => host.getService(defineHandle<Service>(id)));
        const handle = this.#handles[member];
        if (!isProviding || start === "missing" || handle === undefined) return;
        const items = async function* items(call: Call): AsyncGenerator<number> {
          yield 0;
          await call.gate.promise;
          yield 1;
        };
        host.provideService(handle, {
          call: async (call) => {
            this.#begin(call, generation);
            if (call.kind === "short") return;
            await call.gate.promise;
            if (call.kind !== "chain") return;
            const inner = { ...call, kind: "long" as const, begun: 0 };
            for (const reference of references) await reference.current?.call(inner);
          },
          items: (call) => {
            this.#begin(call, generation);
            return items(call);
          },
          open: async (call) => {
            this.#begin(call, generation);
            await call.gate.promise;
            return items(call);
          },
        });
      },
    );
  }

  #open(member: number, host: Host, required: readonly ContractId[]): Generation {
    const order = this.#generations.length + 1;
    const generation: Generation = {
      member,
      order,
      host,
      released: [],
      drainingAt: undefined,
      closingAt: undefined,
    };
    this.#generations.push(generation);
    if (this.#isClosed) this.#violate(`${nameOf(generation)} started after close`);
    for (const service of required)
      if (!this.#isThere(service)) this.#violate(`${nameOf(generation)} started without ${service}`);
    host.draining.addEventListener("abort", () => void (generation.drainingAt = this.clock.now()));
    host.signal.addEventListener("abort", () => void (generation.closingAt = this.clock.now()));
    for (let index = 0; index < releaseCount; index += 1)
      host.defer(`release ${index}`, async () => {
        if (generation.released.length !== releaseCount - 1 - index)
          this.#violate(`${nameOf(generation)}: release ${index} in the wrong order, or twice`);
        // A provider that failed in the middle of an exclusive swap is beyond help.
        for (const service of required)
          if (!this.#isThere(service) && this.#phases.get(service.slice(1, 3)) !== "failed")
            this.#violate(`${nameOf(generation)} ended without ${service}`);
        await Promise.resolve();
        generation.released.push(index);
      });
    const tick = (): void => {
      if (isClosed(host)) this.#violate(`A timer of ${nameOf(generation)} was called after its end`);
      host.clock.setTimer(tick, 700);
    };
    host.clock.setTimer(tick, 700);
    return generation;
  }
}

function isOver({ released }: Generation): boolean {
  return released.length === releaseCount;
}

/** What `host` refuses says why: all is refused by a host whose scope is closed. */
function isClosed(host: Host): boolean {
  try {
    host.contributions(definePoint("undeclared@1"));
    return false;
  } catch (error) {
    return KernelError.is(error) && error.code === "SCOPE_CLOSED";
  }
}

function idOf(member: number): string {
  return `e${member}`;
}

function serviceOf(member: number): ContractId {
  return `se${member}@1`;
}

function nameOf({ member, order }: Generation): string {
  return `${idOf(member)} (${order})`;
}
