/** No model says more than a person can read in this time; a commit for each delta would cost more than all else of it. */
const paceMs = 5;

/**
 * Lets what is said at the same time share commits. What comes within 5 ms of what was said in another conversation waits for
 * the end of these, with all others. What comes alone waits for the end of the event loop's turn: a reply that has come whole
 * is then stored with its end. It is the machine's time that counts: it paces the disk.
 */
export class DeltaPace {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastOwner: object | undefined;
  #next: Promise<void> | undefined;

  /** Resolves when the next commit begins. @param owner Stands for the conversation. */
  next(owner: object): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const nowMs = performance.now();
    const waitMs = this.#lastMs + paceMs - nowMs;
    if (waitMs <= 0 || this.#lastOwner === owner) {
      this.#lastMs = nowMs;
      this.#lastOwner = owner;
      return new Promise((resolve) => setImmediate(resolve));
    }
    this.#next = new Promise((resolve) => {
      setTimeout(() => {
        this.#next = undefined;
        this.#lastMs = performance.now();
        this.#lastOwner = undefined; // Nobody's alone.
        resolve();
      }, waitMs);
    });
    return this.#next;
  }
}
