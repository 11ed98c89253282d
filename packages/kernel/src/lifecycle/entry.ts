import type { Activation } from "./activation.ts";
import type { Clock } from "../time/clock.ts";
import type { Definition } from "./definition.ts";
import type { Drivers, GenerationInfo, Phase, SwapReport, DamageReport } from "../contract/kernel.ts";
import type { KernelError } from "../failures/kernel-error.ts";
import { Refusals } from "../capability/refusals.ts";
import type { Log } from "../contract/capabilities.ts";
import { readKernelError } from "../failures/read-kernel-error.ts";

/** A replaced generation (activation) of an extension, until its calls have ended and its scope is closed. */
export interface Draining {
  readonly activation: Activation;
  hurry(): void;
  readonly done: Promise<unknown>;
}

export interface EntryOptions {
  readonly drivers: Drivers;
  /** Whether the extension stays `stopped` until an operator loads it. */
  readonly isDisabled: boolean;
}

export class Entry {
  definition: Definition;
  readonly refusals: Refusals;
  readonly damagedRecords: DamagedRecords;
  /** Whether the extension should run; `false` after an unload or a failed start. */
  isWanted: boolean;
  /** Number of the last generation, including failed starts. */
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

  /** Start of the current phase, in milliseconds since the Unix epoch. */
  get since(): number {
    return this.#since;
  }

  get generation(): GenerationInfo {
    const { definition, activation, lastGeneration } = this;
    return { version: definition.manifest.version, generation: activation?.generation ?? lastGeneration };
  }

  moveTo(phase: Phase): void {
    if (this.#phase === phase) return;
    this.#phase = phase;
    this.#since = this.#clock.now();
  }

  /** Failed starts are not retried automatically. */
  fail(error: KernelError): void {
    this.isWanted = false;
    this.lastError = error;
    this.moveTo("failed");
  }
}

const maxKept = 100;

/** Stored records of an extension that fail validation. Kept across generations; logs each one once. */
class DamagedRecords {
  readonly #log: Log;
  readonly #found = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Records an error if it is `STORED_VALUE_INVALID`, and ignores all other values. */
  note(error: unknown): void {
    const { code, message } = readKernelError(error) ?? {};
    if (code !== "STORED_VALUE_INVALID" || message === undefined) return;
    if (this.#found.has(message) || this.#found.size >= maxKept) return;
    this.#found.add(message);
    this.#log.error(message);
  }

  report(): DamageReport | undefined {
    const [first] = this.#found;
    return first === undefined ? undefined : { count: this.#found.size, first };
  }
}
