import type { Clock } from "@incipit/kernel";
import type { WriteFailure } from "@incipit/service-contract";

/** Time for which a write failure is reported; later successes do not end it, since they may be smaller. */
const newsMs = 600_000;

export class WriteFailures {
  readonly #clock: Clock;
  #newest: { readonly reason: string; readonly atMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note({ message }: Error): void {
    this.#newest = { reason: message, atMs: this.#clock.now() };
  }

  get newest(): WriteFailure | undefined {
    if (this.#newest === undefined) return undefined;
    const { reason, atMs } = this.#newest;
    return this.#clock.now() - atMs > newsMs ? undefined : { reason, at: new Date(atMs).toISOString() };
  }
}
