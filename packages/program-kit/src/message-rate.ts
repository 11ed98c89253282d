import type { Clock } from "@incipit/kernel";

export interface MessageRateLimits {
  readonly messages: number;
  readonly windowMs: number;
}

/** Tells a program that floods from one that talks: each message costs the host time. */
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

  /** Counts messages; false: there are more than anybody needs. */
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

/** Lets timers and other work of the host come between the messages of one that talks without a pause. */
export function breath(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
