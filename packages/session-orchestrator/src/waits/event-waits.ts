import { readableError, type Clock } from "@incipit/kernel";
import type { Next } from "./next-event.ts";

export interface EventWaitsOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One timer and one listener serve the whole stream, because a reply can have more than a thousand events. */
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

  /** Call again only after it has resolved. Rejects as the stream does. */
  next(): Promise<Next<Value>> {
    const { clock, timeoutMs, signal } = this.#options;
    if (signal.aborted) return Promise.resolve({ kind: "aborted" });
    const waiting = Promise.withResolvers<Next<Value>>();
    this.#waiting = waiting;
    this.#waitsSinceMs = clock.now();
    this.#cancelTimer ??= clock.setTimer(() => this.#look(), timeoutMs);
    this.#iterator.next().then(
      (result) => {
        if (this.#waiting !== waiting) return;
        this.#settle(result.done === true ? { kind: "done" } : { kind: "value", value: result.value });
      },
      // The stream may be extension code: an unreadable error would be lost.
      (error: unknown) => {
        if (this.#waiting !== waiting) return;
        this.#waiting = undefined;
        waiting.reject(readableError(error));
      },
    );
    return waiting.promise;
  }

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

  /** The current wait may have begun after the timer was set. */
  #look(): void {
    const { clock, timeoutMs } = this.#options;
    this.#cancelTimer = undefined;
    if (this.#waiting === undefined) return;
    const leftMs = this.#waitsSinceMs + timeoutMs - clock.now();
    if (leftMs <= 0) this.#settle({ kind: "timeout" });
    else this.#cancelTimer = clock.setTimer(() => this.#look(), leftMs);
  }
}
