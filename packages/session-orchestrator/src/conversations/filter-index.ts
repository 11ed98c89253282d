import type { Storage, StorageWrite } from "@incipit/kernel";
import type { ArchivedFilter } from "@incipit/schema";
import * as z from "zod";
import { keys, type StoredConversation } from "../store/stored.ts";

type Indexed = Pick<StoredConversation, "archived" | "model"> & { readonly id: string };

function rowsOf({ id, archived, model }: Indexed): readonly string[] {
  return [keys.archivedIndex(archived, id), keys.modelIndex({ archived, model }, id)];
}

/** Returns the index writes for a changed record. The caller commits them together with the record. */
export function indexWrites(record: Indexed): readonly StorageWrite[] {
  return rowsOf(record).map((key) => ({ kind: "set", key, value: {} }));
}

/** Commit with the deletion of the record, archived or not. */
export function indexDeletes(record: Indexed): readonly StorageWrite[] {
  const rows = [true, false].flatMap((archived) => rowsOf({ ...record, archived }));
  return rows.map((key) => ({ kind: "delete", key }));
}

export async function possibleIndexDeletes(storage: Storage, id: string): Promise<readonly StorageWrite[]> {
  const deletes: StorageWrite[] = [];
  for (let start: string = keys.allIndexRows; ;) {
    const [row] = await storage.list({ start, end: `${keys.allIndexRows}~`, limit: 1 }, z.unknown());
    if (row === undefined) return deletes;
    const prefix = row.key.slice(0, row.key.lastIndexOf(":") + 1);
    deletes.push({ kind: "delete", key: prefix + id });
    start = `${prefix}~`;
  }
}

export interface IndexedFilter {
  readonly archived: ArchivedFilter;
  readonly model: string | undefined;
}

/** Selective filters need not scan all conversations. The records are authoritative. */
export async function indexedIdsBefore(
  storage: Storage,
  before: string | undefined,
  { archived, model, limit }: IndexedFilter & { readonly limit: number },
): Promise<readonly string[]> {
  const sides = archived === "all" ? [true, false] : [archived === "true"];
  const found = await Promise.all(
    sides.map(async (side) => {
      const prefix =
        model === undefined ? keys.archivedIndex(side, "") : keys.modelIndex({ archived: side, model }, "");
      const range = { start: prefix, end: `${prefix}${before ?? "~"}`, reverse: true, limit };
      const rows = await storage.list(range, z.unknown());
      return rows.map(({ key }) => key.slice(prefix.length));
    }),
  );
  // A conversation may appear in both states during an update.
  return [...new Set(found.flat())].toSorted().toReversed().slice(0, limit); // Ids are ASCII.
}
