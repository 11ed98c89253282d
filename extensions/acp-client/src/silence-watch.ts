import type { Clock } from "@incipit/kernel";

/** Time spent waiting for others does not count. */
export class SilenceWatch implements Disposable {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #controller = new AbortController();
  #heardAtMs: number;
  #held = 0;
  #cancel: () => void;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#heardAtMs = clock.now();
    this.#cancel = clock.setTimer(() => this.#look(), timeoutMs);
  }

  get over(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#heardAtMs = this.#clock.now();
  }

  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
      this.heard();
    }
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }

  #look(): void {
    const leftMs = this.#held > 0 ? this.#timeoutMs : this.#heardAtMs + this.#timeoutMs - this.#clock.now();
    if (leftMs <= 0) this.#controller.abort();
    else this.#cancel = this.#clock.setTimer(() => this.#look(), leftMs);
  }
}
