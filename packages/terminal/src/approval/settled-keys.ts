/** Keys that come so soon behind others were meant for what stood there before the question. */
const settleMs = 500;

/** Tells when nobody has typed for a moment: whoever was writing a message does not answer a question by it. */
export class SettledKeys {
  readonly #onReady: () => void;
  #lastKeyMs = performance.now();
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onReady Called once answers count. */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
    this.#wait();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** A key has come that was not for the question. */
  typed(): void {
    this.#lastKeyMs = performance.now();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const left = settleMs - (performance.now() - this.#lastKeyMs);
    if (left <= 0) {
      this.#isReady = true;
      this.#onReady();
    } else this.#timer = setTimeout(() => this.#wait(), left);
  }
}
