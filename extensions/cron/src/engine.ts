import { errorMessage, waitUnlessAborted } from "@incipit/kernel";
import type { Schedules } from "@incipit/service-contract";
import { Budget } from "./budget.ts";
import { Claims } from "./claims.ts";
import type { ConfiguredJob } from "./configuration.ts";
import { takeConfigured } from "./configured-schedules.ts";
import type { CronContext } from "./cron-context.ts";
import { Runs } from "./runs.ts";
import { ScheduleStore } from "./schedule-store.ts";
import { SchedulesService } from "./schedules-service.ts";
import { Ticker } from "./ticker.ts";
import { allSchedules } from "./troubles.ts";

/** All that works while there are schedules. */
export class Engine {
  readonly schedules: Schedules;
  /** What the configuration says was taken over, or could not be yet. */
  readonly taken: Promise<void>;
  readonly #taken = Promise.withResolvers<void>();
  readonly #context: CronContext;
  readonly #store: ScheduleStore;
  readonly #runs: Runs;
  readonly #ticker: Ticker;

  constructor(context: CronContext) {
    this.#context = context;
    const budget = new Budget(context);
    const claims = new Claims(context, budget);
    this.#runs = new Runs(context, budget);
    this.#ticker = new Ticker(context, claims, ({ id }) => this.#runs.add(id));
    this.#store = new ScheduleStore(context);
    this.schedules = new SchedulesService(context, {
      store: this.#store,
      claims,
      onChange: (run) => (run === undefined ? this.#ticker.wake() : this.#runs.add(run.id)),
    });
    this.taken = this.#taken.promise;
  }

  /** Takes over what the configuration says, goes on with what was left, and claims what is due until the activation ends. */
  async run(jobs: readonly ConfiguredJob[]): Promise<void> {
    const { signal, log, clock, troubles } = this.#context;
    while (!signal.aborted) {
      try {
        await takeConfigured(this.#context, this.#store, jobs).finally(this.#taken.resolve);
        await this.#runs.resume();
        return await this.#ticker.run();
      } catch (error) {
        if (signal.aborted) return;
        const message = errorMessage(error);
        log.error("Schedules cannot begin; it is tried again", { error: message });
        await waitUnlessAborted(troubles.failed(allSchedules, message, { nowMs: clock.now() }), clock, signal);
      }
    }
  }
}
