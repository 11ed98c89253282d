import { Alarm } from "@incipit/gateway-protocol";
import { errorMessage } from "@incipit/kernel";
import type { Claims } from "./claims.ts";
import type { CronContext } from "./cron-context.ts";
import type { StoredRun } from "./stored.ts";
import { allSchedules } from "./reported-failures.ts";

/** The clock may be set or sleep. */
const longestWaitMs = 30_000;

export class Ticker {
  readonly #context: CronContext;
  readonly #claims: Claims;
  readonly #onClaimed: (run: StoredRun) => void;
  readonly #alarm = new Alarm();

  constructor(context: CronContext, claims: Claims, onClaimed: (run: StoredRun) => void) {
    this.#context = context;
    this.#claims = claims;
    this.#onClaimed = onClaimed;
  }

  wake(): void {
    this.#alarm.ring();
  }

  async run(): Promise<void> {
    const { signal, clock, log, troubles } = this.#context;
    while (!signal.aborted) {
      let waitMs = longestWaitMs;
      try {
        for (const run of await this.#claims.claimDue()) this.#onClaimed(run);
        const nextMs = await this.#claims.nextMs();
        troubles.over(allSchedules);
        if (nextMs !== undefined) waitMs = Math.min(nextMs - clock.now(), longestWaitMs);
      } catch (error) {
        if (signal.aborted) return;
        const message = errorMessage(error);
        log.error("What is due could not be claimed; it is tried again", { error: message });
        waitMs = troubles.failed(allSchedules, message, { nowMs: clock.now() });
      }
      if (waitMs > 0) await this.#alarm.wait(waitMs, clock, signal);
    }
  }
}
