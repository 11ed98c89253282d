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
import { allSchedules } from "./reported-failures.ts";

export class Engine {
  readonly schedules: Schedules;
  readonly #context: CronContext;
  readonly #jobs: readonly ConfiguredJob[];
  readonly #store: ScheduleStore;
  readonly #runs: Runs;
  readonly #ticker: Ticker;
  #isTaken = false;
  #waitMs = 0;

  constructor(context: CronContext, jobs: readonly ConfiguredJob[]) {
    this.#context = context;
    this.#jobs = jobs;
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
  }

  /** Never rejects: `run` retries. */
  async take(): Promise<void> {
    try {
      await this.#take();
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  async run(): Promise<void> {
    const { signal, clock } = this.#context;
    while (!signal.aborted) {
      if (this.#waitMs > 0) await waitUnlessAborted(this.#waitMs, clock, signal);
      try {
        if (!this.#isTaken) await this.#take();
        await this.#runs.resume();
        return await this.#ticker.run();
      } catch (error) {
        this.#noteFailure(error);
      }
    }
  }

  async #take(): Promise<void> {
    await takeConfigured(this.#context, this.#store, this.#jobs);
    this.#isTaken = true;
  }

  #noteFailure(error: unknown): void {
    const { signal, log, clock, troubles } = this.#context;
    if (signal.aborted) return;
    const message = errorMessage(error);
    log.error("Schedules cannot begin; it is tried again", { error: message });
    this.#waitMs = troubles.failed(allSchedules, message, { nowMs: clock.now() });
  }
}
