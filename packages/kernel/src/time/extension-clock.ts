import type { Clock } from "./clock.ts";

/** Errors in timer callbacks are reported as errors of the extension; timers end with the activation. */
export class ExtensionClock implements Clock {
  readonly #clock: Clock;
  readonly #onUncaught: (error: unknown) => void;
  readonly #cancels = new Set<() => void>();
  #isEnded = false;

  constructor(clock: Clock, onUncaught: (error: unknown) => void) {
    this.#clock = clock;
    this.#onUncaught = onUncaught;
  }

  now(): number {
    return this.#clock.now();
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    if (this.#isEnded) return () => {};
    const run = async (): Promise<void> => callback(); // A callback may be asynchronous despite its type.
    const stop = this.#clock.setTimer(() => {
      this.#cancels.delete(cancel);
      run().catch(this.#onUncaught);
    }, delayMs);
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      stop();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  end(): void {
    this.#isEnded = true;
    for (const cancel of this.#cancels) cancel();
  }
}
