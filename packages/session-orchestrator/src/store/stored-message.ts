import type { ValueSchema, Storage } from "@incipit/kernel";
import { isObject, messageSchema, type Message } from "@incipit/schema";
import { keys } from "./stored.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const timestamp = /^\d{4}-(?:0\d|1[0-2])-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;
const requiredKeys = 6;

/**
 * Equivalent to `messageSchema`, with a fast path for plain text: a conversation of 10,000 turns reads 20,000
 * messages before its next request.
 */
export const storedMessageSchema: ValueSchema<Message> = {
  "~standard": {
    version: 1,
    vendor: "incipit",
    validate: (value) => (isPlainMessage(value) ? { value } : messageSchema["~standard"].validate(value)),
  },
};

function isPlainMessage(value: unknown): value is Message {
  if (!isObject(value)) return false;
  const { id, role, parts, turnId, epoch, createdAt, model } = value;
  // All allowed keys are checked below, and all required ones exist.
  return (
    keyCount(value) === ("model" in value ? requiredKeys + 1 : requiredKeys) &&
    (role === "user" || role === "assistant") &&
    Array.isArray(parts) &&
    areAllPlainTexts(parts) &&
    isText(id, uuid) &&
    isText(turnId, uuid) &&
    Number.isSafeInteger(epoch) &&
    Number(epoch) > 0 &&
    isText(createdAt, timestamp) &&
    (typeof model === "string" || !("model" in value))
  );
}

function areAllPlainTexts(parts: readonly unknown[]): boolean {
  for (const part of parts) if (!isPlainText(part)) return false;
  return true;
}

function keyCount(value: object): number {
  let count = 0;
  for (const _ in value) count += 1;
  return count;
}

function isPlainText(part: unknown): boolean {
  return isObject(part) && part["type"] === "text" && typeof part["text"] === "string" && keyCount(part) === 2;
}

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}

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
