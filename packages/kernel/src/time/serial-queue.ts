/** Runs operations one at a time, in call order; a failed one does not block the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @throws the error of the operation. */
  run<Result>(operation: () => Promise<Result>): Promise<Result> {
    this.#size += 1;
    const run = this.#last.then(operation).finally(() => {
      this.#size -= 1;
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
