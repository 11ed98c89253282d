import type { Clock } from "@incipit/kernel";
import type { TokenId } from "@incipit/schema";

/** Timers notice neither sleep nor a changed wall clock. */
const longestTimerMs = 600_000;

export class TokenSignals {
  readonly #clock: Clock;
  readonly #endMs: (id: TokenId) => number | undefined;
  readonly #controllers = new Map<TokenId, AbortController>();
  #cancelTimer = (): void => {};

  constructor(clock: Clock, endMs: (id: TokenId) => number | undefined) {
    this.#clock = clock;
    this.#endMs = endMs;
  }

  signalOf(id: TokenId): AbortSignal {
    const known = this.#controllers.get(id);
    if (known !== undefined) return known.signal;
    const controller = new AbortController();
    this.#controllers.set(id, controller);
    this.#setTimer();
    return controller.signal;
  }

  end(id: TokenId): void {
    this.#controllers.get(id)?.abort();
    this.#controllers.delete(id);
  }

  close(): void {
    this.#cancelTimer();
    for (const id of this.#controllers.keys()) this.end(id);
  }

  #setTimer(): void {
    this.#cancelTimer();
    const ends = [...this.#controllers.keys()].map((id) => this.#endMs(id) ?? 0);
    if (ends.length === 0) return;
    const delayMs = Math.min(longestTimerMs, Math.max(0, Math.min(...ends) - this.#clock.now()));
    this.#cancelTimer = this.#clock.setTimer(() => this.#endThoseThatAreDue(), delayMs);
  }

  #endThoseThatAreDue(): void {
    const nowMs = this.#clock.now();
    for (const id of this.#controllers.keys()) if ((this.#endMs(id) ?? 0) <= nowMs) this.end(id);
    this.#setTimer();
  }
}
