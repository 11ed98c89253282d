import { createKernel } from "../lifecycle/create-kernel.ts";
import { FakeClock } from "../time/fake-clock.ts";
import { defineHandle, type ContractId } from "../contract/handle.ts";
import type { Kernel } from "../contract/kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { idOf, memberOf, type CallKind, type Member, type Step } from "./kernel-step.ts";
import { PhaseWatch } from "./phase-watch.ts";
import { drivers } from "./test-kernel.ts";
import { WatchedCalls, type WatchedService } from "./watched-calls.ts";
import { handleOf, WatchedExtensions } from "./watched-extensions.ts";
import type { RunFacts } from "./watched-generation.ts";
import { timeouts } from "./worker.ts";

export class KernelRun {
  readonly violations: string[] = [];
  readonly #clock = new FakeClock();
  readonly #kernel: Kernel;
  readonly #extensions: WatchedExtensions;
  readonly #calls: WatchedCalls;
  readonly #kept: (WatchedService | undefined)[] = [];
  readonly #operations = new Set<Promise<unknown>>();

  constructor(members: readonly Member[]) {
    const phases = new PhaseWatch((what) => this.#violate(what));
    const facts: RunFacts = {
      clock: this.#clock,
      isThere: (service) => this.#isThere(service),
      phaseOf: (member) => phases.phaseOf(idOf(member)),
      violate: (what) => this.#violate(what),
    };
    this.#extensions = new WatchedExtensions(members, facts);
    this.#calls = new WatchedCalls(members, facts);
    this.#kernel = createKernel({
      drivers: {
        ...drivers(),
        clock: {
          // The kernel reads the time on every phase change, so none is missed.
          now: () => {
            phases.look(this.#kernel.list());
            return this.#clock.now();
          },
          setTimer: (callback, delayMs) => this.#clock.setTimer(callback, delayMs),
        },
      },
      ...timeouts,
    });
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "add":
        this.#operate(this.#kernel.add([{ extension: this.#extensions.make(step.member, step.code) }]));
        return;
      case "swap": {
        const extension = this.#extensions.make(step.member, step.code);
        this.#operate(this.#kernel.swap(idOf(step.member), { extension }));
        return;
      }
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
        this.#calls.end(step.index);
        return;
      case "advance":
        await this.#clock.advance(step.ms);
    }
  }

  async rest(): Promise<void> {
    await this.#settle();
    for (const health of this.#kernel.list()) {
      const { id, phase } = health;
      const hasAll = health.requires.every((service) => this.#isThere(service));
      if (phase === "active" && !hasAll) this.#violate(`${id} runs without what it requires`);
      if (phase === "waiting" && hasAll) this.#violate(`${id} waits for nothing`);
      if (!["active", "waiting", "stopped", "failed"].includes(phase)) this.#violate(`${id} rests in ${phase}`);
      if (health.draining !== undefined) this.#violate(`${id} still drains`);
      if (phase === "active") continue;
      if (this.#extensions.generations.some(({ member, isOver }) => member === memberOf(id) && !isOver))
        this.#violate(`${id} is ${phase}, and a generation of it still runs`);
    }
  }

  async close(): Promise<void> {
    this.#operate(this.#kernel.close());
    await this.#settle();
    this.#extensions.close();
    await this.#clock.advance(timeouts.drainTimeoutMs * 2);
    for (const { id, phase } of this.#kernel.list())
      if (phase !== "stopped") this.#violate(`${id} is ${phase} after close`);
    for (const { name, isOver } of this.#extensions.generations)
      if (!isOver) this.#violate(`${name} was not closed`);
    this.#calls.checkNoneLost();
    if (this.#clock.pending > 0) this.#violate("a timer is left");
  }

  #violate(what: string): void {
    this.violations.push(what);
  }

  #isThere(service: ContractId): boolean {
    return this.#kernel.service(defineHandle<WatchedService>(service)) !== undefined;
  }

  #operate(operation: Promise<unknown>): void {
    this.#operations.add(operation);
    operation
      .catch((error: unknown) => {
        if (!KernelError.is(error)) this.#violate(`An operation failed: ${String(error)}`);
      })
      .finally(() => this.#operations.delete(operation));
  }

  async #settle(): Promise<void> {
    while (this.#operations.size > 0) await this.#clock.advance(1_000);
  }

  #call(member: number, kind: CallKind, isKept: boolean): void {
    const fresh = this.#kernel.service(handleOf(member));
    this.#kept[member] ??= fresh;
    const service = isKept ? this.#kept[member] : fresh;
    if (service !== undefined) this.#calls.begin(service, { member, kind, isKept: service !== fresh });
  }
}
