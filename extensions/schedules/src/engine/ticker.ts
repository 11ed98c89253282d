import { errorMessage, LinkedSignal, waitUnlessAborted, type Clock } from "@incipit/kernel";
import type { Claims } from "./claims.ts";
import type { EngineContext } from "./engine-context.ts";
import { allSchedules } from "./reported-failures.ts";
import type { StoredRun } from "./stored.ts";

/** Bounds each wait, so that a changed system clock or a suspended machine delays a run by this time at most. */
const longestWaitMs = 30_000;

export class Ticker {
  readonly #context: EngineContext;
  readonly #claims: Claims;
  readonly #onClaimed: (run: StoredRun) => void;
  readonly #alarm = new Alarm();

  constructor(context: EngineContext, claims: Claims, onClaimed: (run: StoredRun) => void) {
    this.#context = context;
    this.#claims = claims;
    this.#onClaimed = onClaimed;
  }

  wake(): void {
    this.#alarm.ring();
  }

  async run(): Promise<void> {
    const { signal, clock, log, failures } = this.#context;
    while (!signal.aborted) {
      let waitMs = longestWaitMs;
      try {
        for (const run of await this.#claims.claimDue()) this.#onClaimed(run);
        const nextMs = await this.#claims.nextMs();
        failures.over(allSchedules);
        if (nextMs !== undefined) waitMs = Math.min(nextMs - clock.now(), longestWaitMs);
      } catch (error) {
        if (signal.aborted) return;
        const message = errorMessage(error);
        log.error("Cannot claim due schedules; retrying", { error: message });
        waitMs = failures.failed(allSchedules, message, { nowMs: clock.now() });
      }
      if (waitMs > 0) await this.#alarm.wait(waitMs, clock, signal);
    }
  }
}

/** A wait that `ring` ends early. Supports one waiter. */
export class Alarm {
  #rung = new AbortController();

  /** Ends the current wait, or the next one immediately. */
  ring(): void {
    this.#rung.abort();
  }

  async wait(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
    using either = new LinkedSignal(signal, this.#rung.signal);
    await waitUnlessAborted(waitMs, clock, either.signal);
    this.#rung = new AbortController();
  }
}
