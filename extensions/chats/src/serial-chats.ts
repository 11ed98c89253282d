/** Runs what is about one chat one after the other, and what is about others beside it. */
export class SerialChats {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @throws what the operation throws; the next one runs all the same. */
  async run<Result>(chatId: string, operation: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(chatId);
    const run = before === undefined ? operation() : before.then(operation);
    const settled = run.catch(() => undefined); // The caller sees the failure.
    this.#last.set(chatId, settled);
    try {
      return await run;
    } finally {
      if (this.#last.get(chatId) === settled) this.#last.delete(chatId);
    }
  }
}
