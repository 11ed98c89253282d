import { sha256Hex } from "@incipit/common";
import type { JsonValue, Storage, StorageBatch, StorageCheck, StorageWrite } from "@incipit/kernel";
import type { PageQuery } from "@incipit/schema";
import { ServiceError, type Page } from "@incipit/service-contract";
import * as z from "zod";
import type { ExplainFacts } from "./explain-facts.ts";
import { explainRecordSchema, packExplain, unpackExplain } from "./explain-record.ts";
import { promptRecordSchema, type PromptRecord } from "./prompt-record.ts";
import { Constructions, type EarlierPrompt } from "./constructions.ts";
import { damaged, getStored } from "./stored.ts";

const textSchema = z.string();
const anythingSchema = z.json();
const unreadSchema = z.unknown();

/** Cached texts: their number, and the longest in UTF-16 units. */
const maxRead = 64;
const maxReadLength = 65_536;

/** More consecutive conflicts indicate a defect. */
const maxAttempts = 20;

export interface KeptPrompt {
  readonly record: PromptRecord;
  readonly text: string;
}

export interface ExplainedPrompt extends KeptPrompt {
  readonly explain: ExplainFacts;
}

/** Methods reject with `STORED_DATA_DAMAGED` for unreadable data. */
export class PromptStore {
  readonly #storage: Storage;
  readonly #constructions: Constructions;
  /** By record version; the text of a hash never changes. */
  readonly #read = new Map<string, { readonly version: number; readonly kept: KeptPrompt }>();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#constructions = new Constructions(storage);
  }

  /** A text that does not match its hash is damaged. */
  async get(conversationId: string): Promise<KeptPrompt | undefined> {
    const key = `resolved:${conversationId}`;
    const known = this.#read.get(key);
    if (known !== undefined) {
      const newest = await this.#storage.getVersioned(key, unreadSchema);
      if (newest?.version === known.version) return known.kept;
    }
    const stored = await getStored(this.#storage, key, promptRecordSchema);
    this.#read.delete(key);
    if (stored === undefined) return undefined;
    const kept = { record: stored.value, text: await this.#readText(stored.value.sha256) };
    if (kept.text.length <= maxReadLength) this.#read.set(key, { version: stored.version, kept });
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= maxRead) break;
      this.#read.delete(oldest);
    }
    return kept;
  }

  async explain(conversationId: string): Promise<ExplainedPrompt | undefined> {
    const kept = await this.get(conversationId);
    if (kept === undefined) return undefined;
    const key = `explain:${conversationId}`;
    const stored = await getStored(this.#storage, key, explainRecordSchema);
    if (stored === undefined) throw damaged(key, "the prompt is kept, but how it came about is gone");
    const explain = await unpackExplain(stored.value, kept.text, (sha256) => this.#readText(sha256));
    return { ...kept, explain };
  }

  /** The caller commits the writes. `earlier`: for a copy, the source's earlier prompts, oldest first. */
  async batch(
    conversationId: string,
    { earlier = [], ...kept }: KeptPrompt & { readonly earlier?: readonly EarlierPrompt[] },
    explain: ExplainFacts,
  ): Promise<StorageBatch> {
    const { record, texts } = packExplain(explain, kept.text);
    const writes: StorageWrite[] = [
      { kind: "set", key: `resolved:${conversationId}`, value: kept.record },
      { kind: "set", key: `explain:${conversationId}`, value: record },
    ];
    writes.push(...(await this.#constructions.writesFor(conversationId, kept.record, earlier)));
    const now = new Set(referredTexts(record));
    for (const hash of await this.#referredBy(conversationId))
      if (!now.has(hash)) writes.push({ kind: "set", key: `former:${conversationId}:${hash}`, value: null });
    // Rewrites existing texts too: the new version lets `forget` detect the new reference.
    for (const text of new Set([kept.text, ...texts, ...earlier.map(({ text }) => text)])) {
      const hash = sha256Hex(text);
      writes.push(
        { kind: "set", key: `text:${hash}`, value: text },
        { kind: "set", key: useKey(hash, conversationId), value: null },
      );
    }
    return this.#storage.batch([], writes);
  }

  constructions(conversationId: string, page: PageQuery): Promise<Page<PromptRecord>> {
    return this.#constructions.page(conversationId, page);
  }

  async constructedText(conversationId: string, sha256: string): Promise<string | undefined> {
    const isIts = await this.#constructions.has(conversationId, sha256);
    return isIts ? this.#readText(sha256) : undefined;
  }

  async earlier(conversationId: string): Promise<readonly EarlierPrompt[]> {
    const records = await this.#constructions.earlier(conversationId);
    return Promise.all(records.map(async (record) => ({ record, text: await this.#readText(record.sha256) })));
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

  /**
   * Also deletes damaged data, and texts without other references.
   *
   * @throws {ServiceError} `STORAGE_FAILED`; can be retried.
   */
  async forget(conversationId: string): Promise<void> {
    this.#read.delete(`resolved:${conversationId}`);
    const constructions = await this.#constructions.stored(conversationId);
    const own = [...recordKeys(conversationId), ...constructions.map(({ key }) => key)];
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const former = await this.#keysOfFormer(conversationId);
      const hashes = new Set([
        ...(await this.#referredBy(conversationId)),
        ...constructions.flatMap(({ value }) => referredTexts(value)),
        ...former.map((key) => key.slice(key.lastIndexOf(":") + 1)),
      ]);
      const texts = await this.#textsOnlyOf(conversationId, hashes);
      const uses = [...hashes].map((hash) => useKey(hash, conversationId));
      const keys = [...own, ...former, ...uses, ...texts.map(({ key }) => key)];
      const result = await this.#storage.atomic(
        texts,
        keys.map((key) => ({ kind: "delete", key })),
      );
      if (result.kind === "committed") return;
    }
    throw new ServiceError(
      "STORAGE_FAILED",
      "Cannot delete a system prompt: others keep referring to it; try again",
    );
  }

  async #referredBy(conversationId: string): Promise<readonly string[]> {
    const records = await Promise.all(
      recordKeys(conversationId).map((key) => this.#storage.get(key, anythingSchema)),
    );
    return records.flatMap((record) => referredTexts(record ?? null));
  }

  async #keysOfFormer(conversationId: string): Promise<readonly string[]> {
    const prefix = `former:${conversationId}:`;
    return Array.fromAsync(this.#storage.entries(prefix, anythingSchema), ({ key }) => key);
  }

  /** Without other references; with the checked versions. */
  async #textsOnlyOf(conversationId: string, hashes: ReadonlySet<string>): Promise<readonly StorageCheck[]> {
    const found: StorageCheck[] = [];
    for (const hash of hashes) {
      const stored = await this.#storage.getVersioned(`text:${hash}`, anythingSchema);
      if (stored === undefined) continue;
      const uses = await this.#storage.list({ prefix: useKey(hash, ""), limit: 2 }, anythingSchema);
      const isShared = uses.some(({ key }) => key !== useKey(hash, conversationId));
      if (!isShared) found.push({ key: stored.key, version: stored.version });
    }
    return found;
  }

  async #readText(sha256: string): Promise<string> {
    const key = `text:${sha256}`;
    const stored = await getStored(this.#storage, key, textSchema);
    if (stored === undefined) throw damaged(key, "it is referred to, but gone");
    if (sha256Hex(stored.value) !== sha256) throw damaged(key, "its hash does not match");
    return stored.value;
  }
}

function recordKeys(conversationId: string): readonly string[] {
  return [`resolved:${conversationId}`, `explain:${conversationId}`];
}

function useKey(hash: string, conversationId: string): string {
  return `uses:${hash}:${conversationId}`;
}

/** From a record of any shape, so that unreadable records keep their texts. */
function referredTexts(record: JsonValue): readonly string[] {
  if (record === null || typeof record !== "object") return [];
  return Object.entries(record).flatMap(([name, value]) =>
    name === "sha256" && typeof value === "string" ? [value] : referredTexts(value),
  );
}
