import type { ModelMessage } from "@incipit/schema";

interface Known<Value> {
  readonly messageCount: number;
  readonly value: Value;
}

/**
 * The next history costs only its new messages. Keyed weakly by the newest message; message objects must be unique to
 * one history.
 */
export class HistoryMemo<Value> {
  readonly #known = new WeakMap<ModelMessage, Known<Value>>();

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

  set(messages: readonly ModelMessage[], value: Value, messageCount = messages.length): void {
    const newest = messages[messageCount - 1];
    if (newest !== undefined) this.#known.set(newest, { messageCount, value });
  }
}
