export class SharedRun {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  get isAskedAgain(): boolean {
    return this.#next !== undefined;
  }

  /** Resolves at the end of a run that starts after this call. */
  run(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  async ended(): Promise<void> {
    while (this.#running !== undefined) await Promise.allSettled([this.#running, this.#next]);
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#work().finally(() => {
      if (this.#running === running && this.#next === undefined) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
