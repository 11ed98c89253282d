import type { ConversationId, Message, SearchMatch } from "@incipit/schema";
import { keys } from "../store/stored.ts";
import { findInText } from "./find-in-text.ts";
import type { MessagePages } from "./message-pages.ts";
import type { SearchBudget } from "./search-budget.ts";

/** Small, because a message may contain 8 MiB of files. */
const pageSize = 16;

export interface SearchMessagesOptions {
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
