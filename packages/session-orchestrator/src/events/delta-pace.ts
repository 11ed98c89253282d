/** Imperceptible delay for readers; one commit per delta would dominate the cost. */
const paceMs = 5;

/**
 * Deltas within 5 ms of another conversation's wait for the end of that interval, to share a commit. Those of a
 * single conversation wait for the next turn of the event loop, so that a reply that arrives at once is stored with
 * its end. Uses machine time, because it paces the disk.
 */
export class DeltaPace {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastOwner: object | undefined;
  #next: Promise<void> | undefined;

  /** Resolves when the next commit starts. `owner` identifies the conversation. */
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
        this.#lastOwner = undefined;
        resolve();
      }, waitMs);
    });
    return this.#next;
  }
}
