import type { Clock } from "@incipit/kernel";

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly beat: () => void;
  readonly onSilence: () => void;
}

/** The first heartbeat follows after a random fraction of the interval, to spread reconnecting clients. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #intervalMs = 0;
  #isAnswered = true;
  #cancel: () => void = () => undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(intervalMs: number): void {
    this.#intervalMs = intervalMs;
    this.#isAnswered = true;
    this.#next(Math.floor(intervalMs * Math.random()));
  }

  answered(): void {
    this.#isAnswered = true;
  }

  beatNow(): void {
    this.#options.beat();
  }

  stop(): void {
    this.#cancel();
  }

  #next(delayMs: number): void {
    this.#cancel();
    this.#cancel = this.#options.clock.setTimer(() => {
      if (!this.#isAnswered) return this.#options.onSilence();
      this.#isAnswered = false;
      this.#options.beat();
      this.#next(this.#intervalMs);
    }, delayMs);
  }
}
