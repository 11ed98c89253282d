/** Keys that come so soon behind others were meant for what stood there before the question. */
const settleMs = 500;

export interface SettledKeysOptions {
  /** Answers count from now on. */
  readonly onReady: () => void;
  readonly nowMs?: () => number;
}

/** Tells when nobody has typed for a moment: whoever was writing a message does not answer a question by it. */
export class SettledKeys {
  readonly #options: SettledKeysOptions;
  readonly #nowMs: () => number;
  #lastKeyMs: number;
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SettledKeysOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? ((): number => performance.now());
    this.#lastKeyMs = this.#nowMs();
    this.#wait();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** A key has come that was not for the question. */
  typed(): void {
    this.#lastKeyMs = this.#nowMs();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const left = settleMs - (this.#nowMs() - this.#lastKeyMs);
    if (left <= 0) {
      this.#isReady = true;
      this.#options.onReady();
    } else this.#timer = setTimeout(() => this.#wait(), left);
  }
}
