import { errorMessage, waitUnlessAborted } from "@incipit/kernel";
import { Claims } from "./claims.ts";
import { takeConfigured, type ConfiguredJob } from "./configured-schedules.ts";
import type { EngineContext } from "./engine-context.ts";
import { allSchedules } from "./reported-failures.ts";
import { Runs } from "./runs.ts";
import { ScheduleStore } from "./schedule-store.ts";
import type { StoredRun } from "./stored.ts";
import { Ticker } from "./ticker.ts";

export class Engine {
  readonly store: ScheduleStore;
  readonly claims: Claims;
  readonly #context: EngineContext;
  readonly #jobs: readonly ConfiguredJob[];
  readonly #runs: Runs;
  readonly #ticker: Ticker;
  #begun: Promise<void> | undefined;
  #isTaken = false;
  #waitMs = 0;

  constructor(context: EngineContext, jobs: readonly ConfiguredJob[]) {
    this.#context = context;
    this.#jobs = jobs;
    this.store = new ScheduleStore(context);
    this.claims = new Claims(context, this.store);
    this.#runs = new Runs(context, this.store);
    this.#ticker = new Ticker(context, this.claims, ({ id }) => this.#runs.add(id));
  }

  /** Stores the configured jobs; runs begin once `started`, as they depend on services of other extensions. */
  begin(started: Promise<void>): Promise<void> {
    return (this.#begun ??= this.#begin(started));
  }

  /** Call after a due time or a run was stored. */
  wake(run?: StoredRun): void {
    if (run === undefined) this.#ticker.wake();
    else this.#runs.add(run.id);
  }

  async #begin(started: Promise<void>): Promise<void> {
    try {
      await this.#take();
    } catch (error) {
      this.#noteFailure(error);
    }
    void started.then(() => this.#run());
  }

  async #run(): Promise<void> {
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
    await takeConfigured(this.#context, this.store, this.#jobs);
    this.#isTaken = true;
  }

  #noteFailure(error: unknown): void {
    const { signal, log, clock, failures } = this.#context;
    if (signal.aborted) return;
    const message = errorMessage(error);
    log.error("Cannot start the schedules; retrying", { error: message });
    this.#waitMs = failures.failed(allSchedules, message, { nowMs: clock.now() });
  }
}
