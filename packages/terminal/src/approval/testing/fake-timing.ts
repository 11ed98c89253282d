import type { Timing } from "../quiet-timer.ts";

export class FakeTiming implements Timing {
  readonly settleMs: number;
  #nowMs = 0;
  readonly #timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();

  constructor(settleMs = 500) {
    this.settleMs = settleMs;
  }

  readonly now = (): number => this.#nowMs;

  readonly setTimer = (callback: () => void, delayMs: number): (() => void) => {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#run(next);
    }
    this.#nowMs = endMs;
  }

  /** A stopped process runs one overdue timer before it reads input. */
  stop(ms: number): void {
    this.#nowMs += ms;
    const next = this.#next(this.#nowMs);
    if (next !== undefined) this.#run(next);
  }

  #next(untilMs: number): { readonly atMs: number; readonly callback: () => void } | undefined {
    const due = [...this.#timers].filter(({ atMs }) => atMs <= untilMs);
    return due.toSorted((one, other) => one.atMs - other.atMs)[0];
  }

  #run(timer: { readonly atMs: number; readonly callback: () => void }): void {
    this.#timers.delete(timer);
    timer.callback();
  }
}
