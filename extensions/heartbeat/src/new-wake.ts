import { wakeIdSchema } from "@incipit/schema";
import type { StoredWake } from "./stored.ts";

export function newWake(nowMs: number, { dueMs, text }: Pick<StoredWake, "dueMs" | "text">): StoredWake {
  return {
    id: wakeIdSchema.parse(Bun.randomUUIDv7("hex", nowMs)),
    dueMs,
    text,
    outcome: null,
    conversationId: null,
    turnId: null,
    afterSeq: 0,
    endedMs: null,
    reply: null,
    repeated: false,
    tokens: 0,
    usd: 0,
    unpriced: 0,
    error: null,
  };
}
