import type { Clock } from "@incipit/kernel";
import { settle } from "./settle.ts";

/** Fallback for a host that never reports the end of its start; extensions have their own timeouts. */
const startTimeoutMs = 120_000;

/** Before it, models and tools may be missing. */
export class HostStart {
  readonly #over: Promise<unknown>;
  readonly #clock: Clock;

  constructor(started: Promise<void>, clock: Clock) {
    this.#over = settle(started, { timeoutMs: startTimeoutMs, clock });
    this.#clock = clock;
  }

  async wait(signal: AbortSignal): Promise<void> {
    await settle(this.#over, { clock: this.#clock, signal });
  }
}
