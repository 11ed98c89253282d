import type { Storage, StorageWrite } from "@incipit/kernel";
import { shortTurnEndSchema, type ShortTurnEnd, type Message } from "@incipit/schema";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { skipInvalid } from "../store/read-page.ts";
import { keys } from "../store/stored.ts";

/**
 * Next to the turn's newest message, which never changes. None for a completed turn with a whole reply. `ahead`:
 * messages stored together with the end.
 */
export function turnEndWrites(
  { record, messageCount }: LoadedConversation,
  { status, ...end }: ShortTurnEnd,
  ahead: number,
): readonly StorageWrite[] {
  const index = messageCount + ahead - 1;
  if ((status === "completed" && end.cutReason === undefined) || index < 0) return [];
  return [{ kind: "set", key: keys.turnEnd(record.id, index), value: { status, ...end } }];
}

export async function readTurnEnds(
  storage: Storage,
  id: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ReadonlyMap<number, ShortTurnEnd>> {
  const prefix = keys.turnEnds(id);
  const range = { start: keys.turnEnd(id, first), end: keys.turnEnd(id, last + 1), ...skipInvalid };
  const found = await storage.list(range, shortTurnEndSchema);
  return new Map(found.map(({ key, value }) => [Number(key.slice(prefix.length)), value]));
}

export async function withTurnEnds<Entry extends { readonly key: string; readonly value: Message }>(
  storage: Storage,
  id: string,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  const prefix = keys.messages(id);
  const indexOf = ({ key }: Entry): number => Number(key.slice(prefix.length));
  const indexes = entries.map(indexOf);
  if (indexes.length === 0) return entries;
  const ends = await readTurnEnds(storage, id, { first: Math.min(...indexes), last: Math.max(...indexes) });
  if (ends.size === 0) return entries;
  return entries.map((entry) => {
    const turnEnd = ends.get(indexOf(entry));
    return turnEnd === undefined ? entry : { ...entry, value: { ...entry.value, turnEnd } };
  });
}
