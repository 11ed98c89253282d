import type { Clock } from "@incipit/kernel";

/** Fallback for a host that never reports the end of its start; extensions have their own timeouts. */
const startTimeoutMs = 120_000;

/** Before it, models and tools may be missing. */
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

  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const aborted = Promise.withResolvers<void>();
    const abort = (): void => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([this.#over, aborted.promise]);
    signal.removeEventListener("abort", abort);
  }
}
