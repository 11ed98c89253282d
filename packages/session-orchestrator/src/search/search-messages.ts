import type { ConversationId, Message, SearchMatch } from "@incipit/schema";
import { keys } from "../store/stored.ts";
import { findInText } from "./find-in-text.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { storedMessageSchema } from "../store/stored-message.ts";

/** Small, because a message may contain 8 MiB of files. */
const pageSize = 16;

interface SearchMessagesOptions {
  readonly terms: readonly RegExp[];
  readonly budget: SearchBudget;
  readonly before: number | undefined;
  readonly maxMatches: number;
  readonly isAhead: boolean;
}

export async function searchMessages(
  pages: MessagePages,
  id: ConversationId,
  { terms, budget, before, maxMatches, isAhead }: SearchMessagesOptions,
): Promise<{
  readonly matches: readonly SearchMatch[];
  readonly leftBefore: number | undefined;
}> {
  const prefix = keys.messages(id);
  const placeOf = (key: string): number => Number(key.slice(prefix.length));
  const matches: SearchMatch[] = [];
  const repeated = new Set<string>();
  let end = before === undefined ? `${prefix}~` : keys.message(id, before);
  for (;;) {
    const limit = Math.max(1, Math.min(pageSize, budget.records)); // At least one, so that every call makes progress.
    const page = await pages.before(id, { end, limit, isAhead });
    for (const { key, message } of page.messages) {
      end = key;
      budget.spend({ units: message === undefined ? 0 : lengthOf(message) });
      if (message === undefined) continue;
      const found = repeated.has(message.id) ? undefined : findInText(textOf(message), terms);
      if (found !== undefined) {
        matches.push({ messageId: message.id, role: message.role === "user" ? "user" : "assistant", ...found });
        // A message repeated by an epoch is shown at its newest position.
        if (message.carriedFrom !== undefined) repeated.add(message.carriedFrom);
      }
      if (matches.length === maxMatches || budget.isSpent) return { matches, leftBefore: placeOf(key) };
    }
    if (page.isOver) return { matches, leftBefore: undefined };
    if (budget.isSpent) return { matches, leftBefore: placeOf(end) };
  }
}

function textOf({ role, parts }: Message): string {
  if (role === "tool") return "";
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function lengthOf({ parts }: Message): number {
  return parts.reduce((sum, part) => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return sum + part.text.length;
      case "file":
        return sum + part.data.length;
      case "tool-call":
        return sum + part.input.length;
      case "tool-result":
        return sum + part.output.length + (part.files ?? []).reduce((length, { data }) => length + data.length, 0);
    }
  }, 0);
}

/** Limits one search call to about 50 ms. */
export class SearchBudget {
  #records = 1_000;
  /** UTF-16 units of text; this many non-ASCII units take 50 ms. */
  #units = 1_048_576;

  get records(): number {
    return this.#records;
  }

  get isSpent(): boolean {
    return this.#records <= 0 || this.#units <= 0;
  }

  spend({ records = 1, units = 0 }: { readonly records?: number; readonly units?: number } = {}): void {
    this.#records -= records;
    this.#units -= units;
  }
}

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
