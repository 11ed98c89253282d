export interface Timing {
  readonly settleMs: number;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  readonly now: () => number;
}

/** @param settleMs Keys sooner than this after others, or after the question, were meant for the editor. */
export function processTiming(settleMs = 500): Timing {
  return {
    settleMs,
    setTimer: (callback, delayMs) => {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
  };
}

/** After a stop or under load, a process has unread keys; it gets this many turns to read them. */
const turnsToRead = 2;
const turnMs = 4;

/** Calls back after the settle time without keys, even if the process was stopped in between. */
export class QuietTimer {
  readonly #timing: Timing;
  readonly #onQuiet: () => void;
  #cancel: (() => void) | undefined;
  #lastMs = 0;

  constructor(timing: Timing, onQuiet: () => void) {
    this.#timing = timing;
    this.#onQuiet = onQuiet;
  }

  restart(): void {
    this.#lastMs = this.#timing.now();
    this.#cancel?.();
    this.#wait(this.#timing.settleMs);
  }

  close(): void {
    this.#cancel?.();
  }

  #wait(delayMs: number): void {
    this.#cancel = this.#timing.setTimer(() => this.#look(turnsToRead), delayMs);
  }

  #look(turns: number): void {
    const left = this.#timing.settleMs - (this.#timing.now() - this.#lastMs);
    if (left > 0) return this.#wait(left);
    if (turns === 0) return this.#onQuiet();
    this.#cancel = this.#timing.setTimer(() => this.#look(turns - 1), turnMs);
  }
}
