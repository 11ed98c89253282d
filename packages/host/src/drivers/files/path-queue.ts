export class PathQueue {
  readonly #last = new Map<string, Promise<void>>();

  async run<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last.set(path, ended);
    try {
      await before;
      return await work();
    } finally {
      if (this.#last.get(path) === ended) this.#last.delete(path);
      end();
    }
  }
}
