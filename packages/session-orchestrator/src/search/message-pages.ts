import type { Message } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { storedMessageSchema } from "../store/stored-message.ts";
import { keys } from "../store/stored.ts";

interface ReadMessage {
  readonly key: string;
  /** `undefined`: damaged, and reported. */
  readonly message: Message | undefined;
}

interface BeforeOptions {
  readonly end: string;
  readonly limit: number;
  /** The caller continues with the next older conversation, whose messages can be prefetched. */
  readonly isAhead: boolean;
}

/**
 * Newest first, across conversations. Reads several small conversations at once, because a read costs more than its
 * contents.
 */
export class MessagePages {
  readonly #context: Pick<OrchestratorContext, "storage" | "log">;
  #read: readonly ReadMessage[] = [];
  #isOver = false;

  constructor(context: Pick<OrchestratorContext, "storage" | "log">) {
    this.#context = context;
  }

  async before(
    id: string,
    { end, limit, isAhead }: BeforeOptions,
  ): Promise<{ readonly messages: readonly ReadMessage[]; readonly isOver: boolean }> {
    const prefix = keys.messages(id);
    if (!isAhead) {
      const messages = await this.#list({ start: prefix, end, limit });
      return { messages, isOver: messages.length < limit };
    }
    const oldest = this.#read.at(-1);
    if (!this.#isOver && (oldest === undefined || oldest.key >= end)) {
      this.#read = await this.#list({ start: keys.allMessages, end, limit });
      this.#isOver = this.#read.length < limit;
    }
    const left = this.#read.filter(({ key }) => key < end);
    const messages = left.filter(({ key }) => key.startsWith(prefix));
    return { messages, isOver: this.#isOver || messages.length < left.length };
  }

  async #list(range: {
    readonly start: string;
    readonly end: string;
    readonly limit: number;
  }): Promise<readonly ReadMessage[]> {
    const { storage, log } = this.#context;
    const damaged: ReadMessage[] = [];
    const onInvalid = (key: string, error: Error): void => {
      damaged.push({ key, message: undefined });
      log.error("Skipped a damaged record", { key, error: error.message });
    };
    const page = await withServiceErrors(() =>
      storage.list({ ...range, reverse: true, onInvalid }, storedMessageSchema),
    );
    const read = page.map(({ key, value }) => ({ key, message: value }));
    // Keys are ASCII.
    return damaged.length === 0 ? read : [...read, ...damaged].toSorted((a, b) => (a.key < b.key ? 1 : -1));
  }
}
