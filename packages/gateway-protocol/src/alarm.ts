import { LinkedSignal, waitUnlessAborted, type Clock } from "@incipit/kernel";

/** A wait for the next time that can be cut short, because there is something to do earlier. One waits at a time. */
export class Alarm {
  #rung = new AbortController();

  /** Ends the wait; while nobody waits, the next one ends at once. */
  ring(): void {
    this.#rung.abort();
  }

  /** Resolves after the time, at the ring, or once the signal aborts. */
  async wait(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
    using either = new LinkedSignal(signal, this.#rung.signal);
    await waitUnlessAborted(waitMs, clock, either.signal);
    this.#rung = new AbortController();
  }
}
