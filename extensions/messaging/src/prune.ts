import type { Storage, StorageWrite } from "@incipit/kernel";
import { keys } from "./keys.ts";
import { storedMessageSchema, storedNothingSchema } from "./stored.ts";

const keptMessages = 2_000;
const pageLimit = 1_000;
/** Services redeliver unconfirmed updates for less time than this. */
const seenForMs = 2 * 24 * 3_600_000;

export async function pruneMessages(storage: Storage, channel: string): Promise<void> {
  const prefix = keys.messages(channel);
  const onInvalid = (): void => undefined; // Unreadable entries stay: the host reports them as damaged.
  let end = keys.end(prefix);
  for (let kept = 0; kept < keptMessages;) {
    const page = await storage.list(
      { start: prefix, end, limit: pageLimit, reverse: true, onInvalid },
      storedNothingSchema,
    );
    const last = page.at(-1);
    if (last === undefined || page.length < pageLimit) return;
    kept += page.length;
    end = last.key;
  }
  const old = await storage.list({ start: prefix, end, limit: pageLimit, onInvalid }, storedMessageSchema);
  const writes = old.flatMap(({ key, value }): readonly StorageWrite[] =>
    value.endedMs === null
      ? []
      : [
          { kind: "delete", key },
          { kind: "delete", key: keys.unknown(channel, value.id) },
          { kind: "delete", key: keys.failed(channel, value.id) },
        ],
  );
  if (writes.length > 0) await storage.atomic([], writes);
}

export async function pruneSeen(storage: Storage, channel: string, nowMs: number): Promise<void> {
  const start = keys.seenByTime(channel);
  const end = keys.seenAt(channel, "", nowMs - seenForMs);
  const old = await storage.list({ start, end, limit: pageLimit }, storedNothingSchema);
  const writes = old.flatMap(({ key }): readonly StorageWrite[] => [
    { kind: "delete", key },
    { kind: "delete", key: keys.seen(channel, keys.last(key)) },
  ]);
  if (writes.length > 0) await storage.atomic([], writes);
}
