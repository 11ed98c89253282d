import type { Storage } from "@incipit/kernel";
import type { Message } from "@incipit/schema";
import { storedMessageSchema } from "./stored-message.ts";
import { keys } from "./stored.ts";

const pageSize = 1_000;

/** Oldest first. Reads backwards, so that earlier epochs cost nothing. */
export async function readHistory(
  storage: Storage,
  conversationId: string,
  epoch: number,
): Promise<{ readonly messages: readonly Message[]; readonly firstIndex: number; readonly count: number }> {
  const prefix = keys.messages(conversationId);
  const found: Message[] = [];
  let end = `${prefix}~`;
  let count = 0;
  let firstIndex = 0;
  for (;;) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: pageSize }, storedMessageSchema);
    const newest = page[0];
    if (count === 0 && newest !== undefined) count = Number(newest.key.slice(prefix.length)) + 1;
    for (const { key, value } of page) {
      if (value.epoch !== epoch) continue;
      found.push(value);
      firstIndex = Number(key.slice(prefix.length));
    }
    const oldest = page.at(-1);
    if (oldest === undefined || oldest.value.epoch < epoch || page.length < pageSize) break;
    end = oldest.key;
  }
  return { messages: found.toReversed(), firstIndex, count };
}
