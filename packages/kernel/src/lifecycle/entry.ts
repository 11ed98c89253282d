import type { Activation } from "./activation.ts";
import type { Clock } from "../time/clock.ts";
import type { Definition } from "./definition.ts";
import type { Drivers, GenerationInfo, Phase, SwapReport } from "../contract/kernel.ts";
import type { KernelError } from "../failures/kernel-error.ts";
import { DamagedRecords } from "../storage/damaged-records.ts";
import { Refusals } from "../capability/refusals.ts";

/** A generation that was replaced, until its calls have ended and its scope is closed. */
export interface Draining {
  readonly activation: Activation;
  /** Does not wait for its calls any longer. */
  hurry(): void;
  readonly done: Promise<unknown>;
}

export interface EntryOptions {
  readonly drivers: Drivers;
  /** Stays `stopped` until somebody loads it. */
  readonly isDisabled: boolean;
}

/** An extension that the kernel knows, whatever has become of it. */
export class Entry {
  definition: Definition;
  readonly refusals: Refusals;
  readonly damagedRecords: DamagedRecords;
  /** What the operator wants: `false` after an unload, or after a start that failed. */
  isWanted: boolean;
  /** Generation of the newest activation; each try counts. */
  lastGeneration = 0;
  activation: Activation | undefined;
  draining: Draining | undefined;
  lastError: KernelError | undefined;
  lastSwap: SwapReport | undefined;
  readonly #clock: Clock;
  #phase: Phase;
  #since: number;

  constructor(definition: Definition, { drivers, isDisabled }: EntryOptions) {
    this.definition = definition;
    this.refusals = new Refusals(drivers.clock, drivers.log(definition.manifest.id));
    this.damagedRecords = new DamagedRecords(drivers.log(definition.manifest.id));
    this.isWanted = !isDisabled;
    this.#clock = drivers.clock;
    this.#phase = isDisabled ? "stopped" : "waiting";
    this.#since = drivers.clock.now();
  }

  get id(): string {
    return this.definition.manifest.id;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** When the phase began, in milliseconds since the Unix epoch. */
  get since(): number {
    return this.#since;
  }

  /** The one that runs, else the last one that was tried. */
  get generation(): GenerationInfo {
    const { definition, activation, lastGeneration } = this;
    return { version: definition.manifest.version, generation: activation?.generation ?? lastGeneration };
  }

  moveTo(phase: Phase): void {
    if (this.#phase === phase) return;
    this.#phase = phase;
    this.#since = this.#clock.now();
  }

  /** It did not start, and is not tried again before somebody asks for it. */
  fail(error: KernelError): void {
    this.isWanted = false;
    this.lastError = error;
    this.moveTo("failed");
  }
}
