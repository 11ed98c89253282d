import type { Clock } from "@incipit/kernel";
import { maxStarts, startWindowMs, steadyMs } from "./limits.ts";

/** Keeps a server that does not stay up from being started for ever. */
export class StartLimit {
  readonly #clock: Pick<Clock, "now">;
  #startedAtMs: readonly number[] = [];

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Counts a start; 0: it may begin, else the milliseconds until one may. */
  take(): number {
    const now = this.#clock.now();
    const recent = this.#startedAtMs.filter((at) => at > now - startWindowMs && at <= now);
    const [oldest = now] = recent;
    if (recent.length >= maxStarts) return oldest + startWindowMs - now;
    this.#startedAtMs = [...recent, now];
    return 0;
  }

  /** What it was started for has changed: it begins as if it never had. */
  forget(): void {
    this.#startedAtMs = [];
  }

  /** The last start does not count: it was not for the server's own end. */
  forgetLast(): void {
    this.#startedAtMs = this.#startedAtMs.slice(0, -1);
  }

  /** The last one that was started has ended: one that had stayed for a while may begin again as if it never had. */
  end(): void {
    const startedAtMs = this.#startedAtMs.at(-1) ?? this.#clock.now();
    if (this.#clock.now() - startedAtMs >= steadyMs) this.forgetLast();
  }
}
