import type { Clock } from "@incipit/kernel";

export interface MessageRateLimits {
  readonly messages: number;
  readonly windowMs: number;
}

/** For programs that flood the host. */
export class MessageRate {
  readonly #clock: Pick<Clock, "now">;
  readonly #most: MessageRateLimits;
  #windowStartedAtMs: number;
  #messages = 0;

  constructor(clock: Pick<Clock, "now">, most: MessageRateLimits) {
    this.#clock = clock;
    this.#most = most;
    this.#windowStartedAtMs = clock.now();
  }

  /** Counts messages; returns `false` beyond the limit. */
  take(messages: number): boolean {
    const now = this.#clock.now();
    if (Math.abs(now - this.#windowStartedAtMs) >= this.#most.windowMs) {
      this.#windowStartedAtMs = now;
      this.#messages = 0;
    }
    this.#messages += messages;
    return this.#messages <= this.#most.messages;
  }
}

/** Yields to timers and other work between messages of a busy program. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
