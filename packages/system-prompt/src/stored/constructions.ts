import type { JsonValue, Storage, StorageRange, StorageWrite, Versioned } from "@incipit/kernel";
import type { PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import * as z from "zod";
import { promptRecordSchema, type PromptRecord } from "./prompt-record.ts";
import { damaged, isDamage } from "./stored.ts";

const anythingSchema = z.json();

const pageSize = 200;

/** Exported, the newest ones: `prompt_refresh = "turn"` creates one per turn. */
const maxEarlier = 100;

export interface EarlierPrompt {
  readonly record: PromptRecord;
  readonly text: string;
}

/** Stores the constructed prompts of a conversation by number: `construction:ID:NUMBER`. */
export class Constructions {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Includes the `earlier` ones of a copy. A refresh with the same text adds none. */
  async writesFor(
    conversationId: string,
    record: PromptRecord,
    earlier: readonly EarlierPrompt[],
  ): Promise<readonly StorageWrite[]> {
    const prefix = prefixOf(conversationId);
    const newest = await this.#newest(conversationId);
    const isRepeated = record.reason === "turn-refresh" && newest?.record?.sha256 === record.sha256;
    const added = [...earlier.map((prompt) => prompt.record), ...(isRepeated ? [] : [record])];
    const first = (newest?.number ?? 0) + 1;
    return added.map((value, index) => ({ kind: "set", key: `${prefix}${numberText(first + index)}`, value }));
  }

  async page(conversationId: string, { cursor, limit }: PageQuery): Promise<Page<PromptRecord>> {
    const prefix = prefixOf(conversationId);
    // A space sorts before all characters that can follow.
    const start = cursor === undefined ? prefix : `${prefix}${cursor} `;
    const entries = await this.#list({ start, end: `${prefix}~`, limit });
    const items = entries.map(({ value }) => value);
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit) return { items };
    return { items, nextCursor: last.key.slice(prefix.length) };
  }

  async has(conversationId: string, sha256: string): Promise<boolean> {
    for await (const record of this.#all(conversationId)) if (record.sha256 === sha256) return true;
    return false;
  }

  async earlier(conversationId: string): Promise<readonly PromptRecord[]> {
    const range = { prefix: prefixOf(conversationId), reverse: true, limit: maxEarlier + 1 };
    const newest = await this.#list(range);
    return newest
      .slice(1)
      .toReversed()
      .map(({ value }) => value);
  }

  async stored(conversationId: string): Promise<readonly { readonly key: string; readonly value: JsonValue }[]> {
    return Array.fromAsync(this.#storage.entries(prefixOf(conversationId), anythingSchema));
  }

  async #list(range: StorageRange): Promise<readonly Versioned<PromptRecord>[]> {
    try {
      return await this.#storage.list(range, promptRecordSchema);
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw damaged("construction:…", "one of the list does not have the shape that this version writes", cause);
    }
  }

  async *#all(conversationId: string): AsyncGenerator<PromptRecord> {
    for (let cursor: string | undefined; ;) {
      const query = cursor === undefined ? { limit: pageSize } : { limit: pageSize, cursor };
      const page = await this.page(conversationId, query);
      yield* page.items;
      cursor = page.nextCursor;
      if (cursor === undefined) return;
    }
  }

  async #newest(
    conversationId: string,
  ): Promise<{ readonly number: number; readonly record: PromptRecord | undefined } | undefined> {
    const prefix = prefixOf(conversationId);
    const [newest] = await this.#storage.list({ prefix, reverse: true, limit: 1 }, anythingSchema);
    if (newest === undefined) return undefined;
    const record = promptRecordSchema.safeParse(newest.value).data; // A damaged record is not compared.
    return { number: Number(newest.key.slice(prefix.length)), record };
  }
}

function prefixOf(conversationId: string): string {
  return `construction:${conversationId}:`;
}

function numberText(number: number): string {
  return String(number).padStart(12, "0");
}
