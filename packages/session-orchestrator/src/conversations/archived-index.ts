import type { Storage, StorageWrite } from "@incipit/kernel";
import * as z from "zod";
import { indexFillSchema, keys } from "../store/stored.ts";

/** With the write of a record that comes in. */
export function indexWrite({ id, archived }: { readonly id: string; readonly archived: boolean }): StorageWrite {
  return { kind: "set", key: keys.archivedIndex(archived, id), value: {} };
}

/** With the write of a record that may have been on the other side. */
export function indexMove(id: string, archived: boolean): readonly StorageWrite[] {
  return [indexWrite({ id, archived }), { kind: "delete", key: keys.archivedIndex(!archived, id) }];
}

/** With the delete of its record. */
export function indexDeletes(id: string): readonly StorageWrite[] {
  return [true, false].map((archived) => ({ kind: "delete", key: keys.archivedIndex(archived, id) }));
}

const recordSchema = z.looseObject({ archived: z.boolean().default(false) });

/** Conversations that one commit of the fill takes, in about two milliseconds. */
const filledAtOnce = 100;

/**
 * Which conversations are archived, and which are not, each kind by itself: to find the few that a filter is for, nobody has
 * to look at all. Every commit that changes that changes the index; those of an earlier version are filled in beside what else
 * happens, and until all are, nobody asks the index. The records have the last word.
 */
export class ArchivedIndex {
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
    { archived, limit }: { readonly archived: boolean; readonly limit: number },
  ): Promise<readonly string[]> {
    const start = keys.archivedIndex(archived, "");
    const end = keys.archivedIndex(archived, before ?? "~");
    const rows = await this.#storage.list({ start, end, reverse: true, limit }, z.unknown());
    return rows.map(({ key }) => key.slice(start.length));
  }

  /** Takes in what was there before there was an index; what a host that ended has done of it is not done again. */
  async fill(signal: AbortSignal): Promise<void> {
    const stored = await this.#storage.get(keys.archivedIndexFill, indexFillSchema);
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
      const fill: StorageWrite = { kind: "set", key: keys.archivedIndexFill, value: { before: reached } };
      const writes = page.map(({ key, value: { archived } }) =>
        indexWrite({ id: key.slice(prefix.length), archived }),
      );
      // One that changes or goes meanwhile would come back as it was.
      const checks = page.map(({ key, version }) => ({ key, version }));
      const result = await this.#storage.atomic(checks, [...writes, fill], { survives: "process" });
      if (result.kind === "committed") return reached;
    }
  }
}
