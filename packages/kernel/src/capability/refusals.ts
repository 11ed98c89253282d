import type { Log } from "../contract/capabilities.ts";
import type { Refusal, RefusalReport } from "../contract/kernel.ts";
import type { Clock } from "../time/clock.ts";
import { readKernelError } from "../failures/read-kernel-error.ts";

const maxKept = 50;

/** Counts an extension's refusals across generations, and logs each distinct one once. */
export class Refusals {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #kept = new Map<string, Refusal>();
  #count = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  note(error: unknown): void {
    const { code, message } = readKernelError(error) ?? {};
    if (code !== "CAPABILITY_DENIED" || message === undefined) return;
    const known = this.#kept.get(message);
    if (known === undefined) this.#log.warn(message);
    this.#count += 1;
    this.#kept.delete(message);
    this.#kept.set(message, { message, count: (known?.count ?? 0) + 1, at: this.#clock.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  report(): RefusalReport {
    return { count: this.#count, latest: [...this.#kept.values()].toReversed() };
  }
}
