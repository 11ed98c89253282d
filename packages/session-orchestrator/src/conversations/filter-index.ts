import type { Storage, StorageWrite } from "@incipit/kernel";
import type { ArchivedFilter } from "@incipit/schema";
import * as z from "zod";
import { indexFillSchema, keys, type StoredConversation } from "../store/stored.ts";

type Indexed = Pick<StoredConversation, "archived" | "model"> & { readonly id: string };

function rowsOf({ id, archived, model }: Indexed): readonly string[] {
  return [keys.archivedIndex(archived, id), keys.modelIndex({ archived, model }, id)];
}

/** Commit together with the record. */
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

const recordSchema = z.looseObject({ archived: z.boolean().default(false), model: z.string() });

/** Per commit, which takes about two milliseconds. */
const filledAtOnce = 100;

/**
 * Selective filters need not scan all conversations. The records are authoritative. Conversations of earlier versions
 * are added in the background; the index is unused until complete.
 */
export class FilterIndex {
  readonly #storage: Storage;
  #isComplete = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  async idsBefore(
    before: string | undefined,
    { archived, model, limit }: IndexedFilter & { readonly limit: number },
  ): Promise<readonly string[]> {
    const sides = archived === "all" ? [true, false] : [archived === "true"];
    const found = await Promise.all(
      sides.map(async (side) => {
        const prefix =
          model === undefined ? keys.archivedIndex(side, "") : keys.modelIndex({ archived: side, model }, "");
        const range = { start: prefix, end: `${prefix}${before ?? "~"}`, reverse: true, limit };
        const rows = await this.#storage.list(range, z.unknown());
        return rows.map(({ key }) => key.slice(prefix.length));
      }),
    );
    // A conversation may appear in both states during an update.
    return [...new Set(found.flat())].toSorted().toReversed().slice(0, limit); // Ids are ASCII.
  }

  async fill(signal: AbortSignal): Promise<void> {
    const stored = await this.#storage.get(keys.indexFill, indexFillSchema);
    let before = stored === undefined ? "~" : stored.before;
    while (before !== null) {
      signal.throwIfAborted();
      before = await this.#fillBefore(before);
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isComplete = true;
  }

  async #fillBefore(before: string): Promise<string | null> {
    const prefix = keys.conversation("");
    for (;;) {
      const damaged: string[] = [];
      const onInvalid = (key: string): void => void damaged.push(key);
      const range = {
        start: prefix,
        end: keys.conversation(before),
        reverse: true,
        limit: filledAtOnce,
        onInvalid,
      };
      const page = await this.#storage.list(range, recordSchema);
      const oldest = [...page.map(({ key }) => key), ...damaged].toSorted()[0]; // Ids are ASCII.
      const reached = oldest?.slice(prefix.length) ?? null;
      const fill: StorageWrite = { kind: "set", key: keys.indexFill, value: { before: reached } };
      const writes = page.flatMap(({ key, value: { archived, model } }) =>
        indexWrites({ id: key.slice(prefix.length), archived, model }),
      );
      // Prevents overwriting concurrent updates and deletions.
      const checks = page.map(({ key, version }) => ({ key, version }));
      const result = await this.#storage.atomic(checks, [...writes, fill], { survives: "process" });
      if (result.kind === "committed") return reached;
    }
  }
}
