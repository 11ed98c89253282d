import type { Clock } from "@incipit/kernel";

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly beat: () => void;
  /** The last beat was not answered: the connection is dead, whatever it looks like. */
  readonly onSilence: () => void;
}

/** Beats as often as the service asks for, the first time after some part of that: many clients may have come at once. */
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

  /** The service has asked for one. */
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
