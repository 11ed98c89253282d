import { readableError, type Clock } from "@incipit/kernel";
import type { Next } from "./next-event.ts";

export interface EventWaitsOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Waits for one value of a stream after the other, each of them for its deadline or the signal at most. One timer and one
 * listener serve the whole stream: a model says more than a thousand things in a reply.
 */
export class EventWaits<Value> {
  readonly #iterator: AsyncIterator<Value>;
  readonly #options: EventWaitsOptions;
  readonly #onAbort = (): void => this.#settle({ kind: "aborted" });
  #waiting: PromiseWithResolvers<Next<Value>> | undefined;
  #waitsSinceMs = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(iterator: AsyncIterator<Value>, options: EventWaitsOptions) {
    this.#iterator = iterator;
    this.#options = options;
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** To be called again once it has resolved. Rejects as the stream does. */
  next(): Promise<Next<Value>> {
    const { clock, timeoutMs, signal } = this.#options;
    if (signal.aborted) return Promise.resolve({ kind: "aborted" });
    const waiting = Promise.withResolvers<Next<Value>>();
    this.#waiting = waiting;
    this.#waitsSinceMs = clock.now();
    this.#cancelTimer ??= clock.setTimer(() => this.#look(), timeoutMs);
    this.#iterator.next().then(
      (result) => {
        if (this.#waiting !== waiting) return; // Too late: whoever waited was told something else.
        this.#settle(result.done === true ? { kind: "done" } : { kind: "value", value: result.value });
      },
      // Whoever it comes from may be code of an extension: nobody would be told of what this throws.
      (error: unknown) => {
        if (this.#waiting !== waiting) return;
        this.#waiting = undefined;
        waiting.reject(readableError(error));
      },
    );
    return waiting.promise;
  }

  /** Lets go of timer and signal. */
  end(): void {
    this.#waiting = undefined;
    this.#cancelTimer?.();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }

  #settle(next: Next<Value>): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(next);
  }

  /** The timer is up: what waits now may have begun to long after it was set. */
  #look(): void {
    const { clock, timeoutMs } = this.#options;
    this.#cancelTimer = undefined;
    if (this.#waiting === undefined) return;
    const leftMs = this.#waitsSinceMs + timeoutMs - clock.now();
    if (leftMs <= 0) this.#settle({ kind: "timeout" });
    else this.#cancelTimer = clock.setTimer(() => this.#look(), leftMs);
  }
}
