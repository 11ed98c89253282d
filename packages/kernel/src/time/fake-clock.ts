import type { Clock } from "./clock.ts";

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time moves only with `advance`. */
export class FakeClock implements Clock {
  #nowMs: number;
  #nextOrder = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = Date.UTC(2026)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#nextOrder++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Calls due timers, earliest first; promises settle in between. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    await settle();
    for (let timer = this.#nextDue(endMs); timer !== undefined; timer = this.#nextDue(endMs)) {
      this.#timers.delete(timer);
      this.#nowMs = timer.dueMs;
      timer.callback();
      await settle();
    }
    this.#nowMs = endMs;
  }

  /** Advances the time by one second at a time, until `work` has settled. */
  async advanceUntil<Result>(work: PromiseLike<Result>): Promise<Result> {
    let isSettled = false;
    const settled = (async () => work)().finally(() => {
      isSettled = true;
    });
    settled.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 0)); // Lets real I/O, such as a socket, proceed.
      if (isSettled) return settled;
      await this.advance(1_000);
    }
  }

  #nextDue(endMs: number): Timer | undefined {
    return [...this.#timers]
      .filter((timer) => timer.dueMs <= endMs)
      .toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}
