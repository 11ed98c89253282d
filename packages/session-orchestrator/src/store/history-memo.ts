import type { ModelMessage } from "@incipit/schema";

interface Known<Value> {
  readonly messageCount: number;
  readonly value: Value;
}

/**
 * What was made of a history, for what is made of it and the messages behind it: a step then costs what is new in it. It is
 * found by the history's newest message, and lives as long as that. A message is one object, and part of one history.
 */
export class HistoryMemo<Value> {
  readonly #known = new WeakMap<ModelMessage, Known<Value>>();

  /** What is known of the longest beginning of these messages; it is forgotten: what is made next has it in it. */
  take(messages: readonly ModelMessage[]): Known<Value> | undefined {
    for (let index = messages.length - 1; index >= 0; index -= 1) {
      const message = messages[index];
      const known = message === undefined ? undefined : this.#known.get(message);
      if (message === undefined || known === undefined) continue;
      this.#known.delete(message);
      return known.messageCount === index + 1 ? known : undefined;
    }
    return undefined;
  }

  /** @param messageCount How many of the messages it was made of; absent: all. */
  set(messages: readonly ModelMessage[], value: Value, messageCount = messages.length): void {
    const newest = messages[messageCount - 1];
    if (newest !== undefined) this.#known.set(newest, { messageCount, value });
  }
}
