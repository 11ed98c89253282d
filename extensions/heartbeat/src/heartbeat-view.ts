import type { Heartbeat, HeartbeatWake, PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import type { HeartContext } from "./heart-context.ts";
import { keys, storedBeatSchema, storedWakeSchema, type StoredWake } from "./stored.ts";
import { conversationNow } from "./wake-conversation.ts";

export async function heartbeatView(context: HeartContext): Promise<Heartbeat> {
  const { storage, spending, isEnabled } = context;
  const beat = await storage.get(keys.beat, storedBeatSchema);
  const [conversationId, newest, lastAlert, today] = await Promise.all([
    conversationNow(context),
    storage.list({ prefix: keys.wakes, limit: 1, reverse: true }, storedWakeSchema),
    beat?.lastAlertId == null ? undefined : storage.get(keys.wake(beat.lastAlertId), storedWakeSchema),
    spending.used(),
  ]);
  const [lastWake] = newest;
  return {
    enabled: isEnabled,
    nextAt: isEnabled && beat !== undefined ? timestamp(beat.nextMs) : null,
    conversationId: conversationId ?? null,
    lastWake: lastWake === undefined ? null : wakeView(lastWake.value),
    lastAlert: lastAlert === undefined ? null : wakeView(lastAlert),
    tokensToday: today.tokens,
    usdToday: today.usd,
    unpricedToday: today.unpriced,
  };
}

export async function wakePage(
  { storage }: HeartContext,
  { cursor, limit }: PageQuery,
): Promise<Page<HeartbeatWake>> {
  const range = cursor === undefined ? { prefix: keys.wakes } : { start: keys.wakes, end: keys.wake(cursor) };
  const found = await storage.list({ ...range, limit, reverse: true }, storedWakeSchema);
  const items = found.map(({ value }) => wakeView(value));
  const last = items.at(-1);
  return last === undefined || items.length < limit ? { items } : { items, nextCursor: last.id };
}

export function wakeView(wake: StoredWake): HeartbeatWake {
  const { id, outcome, conversationId, turnId, reply, repeated, tokens, usd, unpriced, error } = wake;
  const endedAt = wake.endedMs === null ? null : timestamp(wake.endedMs);
  return {
    id,
    dueAt: timestamp(wake.dueMs),
    outcome,
    conversationId,
    turnId,
    endedAt,
    reply,
    repeated,
    tokens,
    usd,
    unpriced,
    error,
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
