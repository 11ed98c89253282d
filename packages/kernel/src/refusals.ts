import type { Log } from "./capabilities.ts";
import type { Clock } from "./clock.ts";
import { KernelError } from "./kernel-error.ts";

/** One thing that an extension was refused, however often. */
export interface Refusal {
  /** What was asked, and why it was refused. */
  readonly message: string;
  readonly count: number;
  /** Of the last one, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface RefusalReport {
  /** All of them. */
  readonly count: number;
  /** The newest first; of many different ones, those that came last. */
  readonly latest: readonly Refusal[];
}

const maxKept = 50;

/** What an extension was refused, over all its generations: counted, and each different one logged once. */
export class Refusals {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #kept = new Map<string, Refusal>();
  #count = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Takes what was thrown, whatever it is, and keeps what is a refusal. */
  note(error: unknown): void {
    if (!KernelError.is(error) || error.code !== "CAPABILITY_DENIED") return;
    const { message } = error;
    const known = this.#kept.get(message);
    if (known === undefined) this.#log.warn(message);
    this.#count += 1;
    this.#kept.delete(message); // So that the newest is the last.
    this.#kept.set(message, { message, count: (known?.count ?? 0) + 1, at: this.#clock.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  report(): RefusalReport {
    return { count: this.#count, latest: [...this.#kept.values()].toReversed() };
  }
}
