import type { Clock } from "@incipit/kernel";
import { maxStarts, startWindowMs, steadyMs } from "./limits.ts";

export class StartLimit {
  readonly #clock: Pick<Clock, "now">;
  #startedAtMs: readonly number[] = [];

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Returns 0 when allowed, else the milliseconds to wait. */
  take(): number {
    const now = this.#clock.now();
    const recent = this.#startedAtMs.filter((at) => at > now - startWindowMs && at <= now);
    const [oldest = now] = recent;
    if (recent.length >= maxStarts) return oldest + startWindowMs - now;
    this.#startedAtMs = [...recent, now];
    return 0;
  }

  forget(): void {
    this.#startedAtMs = [];
  }

  /** Does not count the last start, whose end the server did not cause. */
  forgetLast(): void {
    this.#startedAtMs = this.#startedAtMs.slice(0, -1);
  }

  end(): void {
    const startedAtMs = this.#startedAtMs.at(-1) ?? this.#clock.now();
    if (this.#clock.now() - startedAtMs >= steadyMs) this.forgetLast();
  }
}
