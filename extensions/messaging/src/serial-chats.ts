/** In order within a chat; chats run concurrently. */
export class SerialChats {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @throws the operation's error; the next operation runs regardless. */
  async run<Result>(chatId: string, operation: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(chatId);
    const run = before === undefined ? operation() : before.then(operation);
    const settled = run.catch(() => undefined); // The caller receives the error.
    this.#last.set(chatId, settled);
    try {
      return await run;
    } finally {
      if (this.#last.get(chatId) === settled) this.#last.delete(chatId);
    }
  }
}
