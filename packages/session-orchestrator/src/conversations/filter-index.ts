import type { Storage, StorageWrite } from "@incipit/kernel";
import type { ArchivedFilter } from "@incipit/schema";
import * as z from "zod";
import { indexFillSchema, keys, type StoredConversation } from "../store/stored.ts";

/** What of a record the index goes by. */
type Indexed = Pick<StoredConversation, "archived" | "model"> & { readonly id: string };

function rowsOf({ id, archived, model }: Indexed): readonly string[] {
  return [keys.archivedIndex(archived, id), keys.modelIndex({ archived, model }, id)];
}

/** With the write of a record that comes in. */
export function indexWrites(record: Indexed): readonly StorageWrite[] {
  return rowsOf(record).map((key) => ({ kind: "set", key, value: {} }));
}

/** With the delete of its record, on whichever side of the archive it is by then. */
export function indexDeletes(record: Indexed): readonly StorageWrite[] {
  const rows = [true, false].flatMap((archived) => rowsOf({ ...record, archived }));
  return rows.map((key) => ({ kind: "delete", key }));
}

/** With the delete of a record that cannot be read: wherever it may have stood. */
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

/** Which conversations a filter is for, as far as the index knows that. */
export interface IndexedFilter {
  readonly archived: ArchivedFilter;
  /** `undefined`: any. */
  readonly model: string | undefined;
}

const recordSchema = z.looseObject({ archived: z.boolean().default(false), model: z.string() });

/** Conversations that one commit of the fill takes, in about two milliseconds. */
const filledAtOnce = 100;

/**
 * Which conversations are archived, and which are not, and which of both have which model, each kind by itself: to find the
 * few that a filter is for, nobody has to look at all. Every commit that changes that changes the index; those of an earlier
 * version are filled in beside what else happens, and until all are, nobody asks the index. The records have the last word.
 */
export class FilterIndex {
  readonly #storage: Storage;
  #isComplete = false;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Whether every conversation is in it. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Ids older than `before`, newest first; absent: from the newest one on. */
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
    // While one is archived it may be seen on both sides.
    return [...new Set(found.flat())].toSorted().toReversed().slice(0, limit); // Ids are ASCII.
  }

  /** Takes in what was there before there was an index; what a host that ended has done of it is not done again. */
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

  /** Gives the oldest one that it took in; `null`: there is none behind it. */
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
      // One that changes or goes meanwhile would come back as it was.
      const checks = page.map(({ key, version }) => ({ key, version }));
      const result = await this.#storage.atomic(checks, [...writes, fill], { survives: "process" });
      if (result.kind === "committed") return reached;
    }
  }
}
