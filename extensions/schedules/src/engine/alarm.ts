import { LinkedSignal, waitUnlessAborted, type Clock } from "@incipit/kernel";

/** For a single waiter. */
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
