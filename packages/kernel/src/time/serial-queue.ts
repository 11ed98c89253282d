/** Runs operations one after the other, in the order in which they were asked for; one that fails does not keep the next from running. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #size = 0;

  /** Operations that run or wait. */
  get size(): number {
    return this.#size;
  }

  /** @throws what the operation throws. */
  run<Result>(operation: () => Promise<Result>): Promise<Result> {
    this.#size += 1;
    const run = this.#last.then(operation).finally(() => {
      this.#size -= 1;
    });
    this.#last = run.catch(() => undefined); // The caller sees the failure.
    return run;
  }
}
