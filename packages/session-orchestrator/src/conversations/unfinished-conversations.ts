import type { Storage, StorageBatch, StorageCheck, StorageWrite } from "@incipit/kernel";
import * as z from "zod";
import { deleteRecords } from "../store/record-kinds.ts";
import { keys } from "../store/stored.ts";

interface Commit {
  readonly checks?: readonly StorageCheck[];
  readonly writes: readonly StorageWrite[];
  readonly join?: readonly StorageBatch[];
}

/**
 * Creation and deletion take several commits. While marked, the main record is absent: the conversation is invisible,
 * and the next start deletes it.
 */
export class UnfinishedConversations {
  readonly #storage: Storage;
  readonly #own = new Set<string>();
  readonly #left = new Set<string>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** `false`, with nothing stored, if already marked or a check failed. */
  async begin(id: string, { checks = [], writes, join = [] }: Commit): Promise<boolean> {
    if (this.#own.has(id)) return false;
    if (this.#left.has(id)) await this.discard(id);
    if (this.#own.has(id)) return false;
    this.#own.add(id);
    const key = keys.unfinished(id);
    const mark: StorageWrite = { kind: "set", key, value: {} };
    try {
      const result = await this.#storage.atomic([{ key, version: null }, ...checks], [mark, ...writes], { join });
      if (result.kind === "conflict") this.#own.delete(id);
      return result.kind === "committed";
    } catch (error) {
      this.#own.delete(id);
      throw error;
    }
  }

  async finish(id: string, { checks = [], writes, join = [] }: Commit): Promise<boolean> {
    const end: StorageWrite = { kind: "delete", key: keys.unfinished(id) };
    const result = await this.#storage.atomic(checks, [...writes, end], { join });
    if (result.kind === "conflict") return false;
    this.#own.delete(id);
    return true;
  }

  /** Deletes the mark last. */
  async discard(id: string): Promise<void> {
    this.#own.add(id);
    this.#left.add(id);
    try {
      await deleteRecords(this.#storage, id);
      await this.finish(id, { writes: [] });
      this.#left.delete(id);
    } finally {
      this.#own.delete(id);
    }
  }

  async discardLeft(): Promise<void> {
    const prefix = keys.unfinished("");
    for await (const { key } of this.#storage.entries(prefix, z.unknown())) {
      const id = key.slice(prefix.length);
      if (!this.#own.has(id)) await this.discard(id);
    }
  }
}
