import type { Clock } from "@incipit/kernel";

/** What the host starts with has deadlines of its own: this one is for a host that never says that it is done. */
const startTimeoutMs = 120_000;

/** The time until everything that the host starts with is there: before it, models and tools of turns may be missing. */
export class HostStart {
  readonly #over: Promise<void>;

  constructor(started: Promise<void>, clock: Clock) {
    this.#over = new Promise((resolve) => {
      const cancel = clock.setTimer(resolve, startTimeoutMs);
      void started.then(() => {
        cancel();
        resolve();
      });
    });
  }

  /** Resolves when it is over, or at once when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const aborted = Promise.withResolvers<void>();
    const abort = (): void => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([this.#over, aborted.promise]);
    signal.removeEventListener("abort", abort);
  }
}
