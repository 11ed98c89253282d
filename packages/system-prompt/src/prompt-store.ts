import type { Storage, StorageBatch, StorageWrite } from "@incipit/kernel";
import { ServiceError, type Explain } from "@incipit/service-contract";
import * as z from "zod";
import {
  explainRecordSchema,
  hashText,
  packExplain,
  promptRecordSchema,
  unpackExplain,
  type PromptRecord,
} from "./prompt-record.ts";
import { damaged, getStored, isDamage } from "./stored.ts";

const textSchema = z.string();

export interface KeptPrompt {
  readonly record: PromptRecord;
  readonly text: string;
}

/** The prompts of conversations as they were constructed. Every method rejects with `STORED_DATA_DAMAGED` for what it cannot read. */
export class PromptStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** `undefined`: never constructed. A text that is not what its hash says is damaged. */
  async get(conversationId: string): Promise<KeptPrompt | undefined> {
    const stored = await getStored(this.#storage, `resolved:${conversationId}`, promptRecordSchema);
    if (stored === undefined) return undefined;
    return { record: stored.value, text: await this.#readText(stored.value.sha256) };
  }

  async explain(conversationId: string): Promise<Explain | undefined> {
    const kept = await this.get(conversationId);
    if (kept === undefined) return undefined;
    const key = `explain:${conversationId}`;
    const stored = await getStored(this.#storage, key, explainRecordSchema);
    if (stored === undefined) throw damaged(key, "the prompt is kept, but how it came about is gone");
    return unpackExplain(stored.value, kept.text, (sha256) => this.#readText(sha256));
  }

  /** The writes that keep a prompt, put aside: nothing is stored until they are committed. */
  async batch(conversationId: string, kept: KeptPrompt, explain: Explain): Promise<StorageBatch> {
    const { record, texts } = packExplain(explain, kept.text);
    const writes: StorageWrite[] = [
      { kind: "set", key: `resolved:${conversationId}`, value: kept.record },
      { kind: "set", key: `explain:${conversationId}`, value: record },
    ];
    const missing = await Promise.all(
      [...new Set([kept.text, ...texts])].map(async (text) => ((await this.#has(text)) ? undefined : text)),
    );
    for (const text of missing) {
      if (text !== undefined) writes.push({ kind: "set", key: `text:${hashText(text)}`, value: text });
    }
    return this.#storage.batch([], writes);
  }

  /** @throws {ServiceError} `STORAGE_FAILED`. */
  async commit(batch: StorageBatch): Promise<void> {
    try {
      const result = await this.#storage.atomic([], [], { join: [batch] });
      if (result.kind === "committed") return;
    } catch (cause) {
      throw new ServiceError("STORAGE_FAILED", "Cannot store the system prompt; see the storage's own error", {
        cause,
      });
    }
    throw new ServiceError(
      "STORAGE_FAILED",
      "Cannot store the system prompt: the storage reports a conflict; try again",
    );
  }

  /** Texts are never taken away, so what is there stays; a damaged one is written again. */
  async #has(text: string): Promise<boolean> {
    try {
      return (await this.#storage.get(`text:${hashText(text)}`, textSchema)) === text;
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  }

  async #readText(sha256: string): Promise<string> {
    const key = `text:${sha256}`;
    const stored = await getStored(this.#storage, key, textSchema);
    if (stored === undefined) throw damaged(key, "it is referred to, but gone");
    if (hashText(stored.value) !== sha256) throw damaged(key, "its hash does not match");
    return stored.value;
  }
}
