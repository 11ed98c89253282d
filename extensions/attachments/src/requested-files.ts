import type { Storage, StorageBatch, StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { maxFiles } from "./split-reply.ts";

/** Later requests belong to conversations whose replies are not sent anywhere. */
const keptMs = 30 * 86_400_000;
const maxTries = 20;
const prefix = "asked/";

const storedSchema = lazySchema(() =>
  z.object({ conversationId: z.string(), atMs: z.int(), paths: z.array(z.string()) }),
);

export interface AskingTurn {
  readonly conversationId: string;
  readonly turnId: string;
}

export class RequestedFiles {
  readonly #storage: Storage;
  readonly #now: () => number;

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  async add({ conversationId, turnId }: AskingTurn, path: string): Promise<boolean> {
    const key = prefix + turnId;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const stored = await this.#storage.getVersioned(key, storedSchema);
      const paths = stored?.value.paths ?? [];
      if (paths.includes(path)) return true;
      if (paths.length >= maxFiles) return false;
      const value = { conversationId, atMs: this.#now(), paths: [...paths, path] };
      const writes: readonly StorageWrite[] = [{ kind: "set", key, value }, ...(await this.#outdated())];
      const result = await this.#storage.atomic([{ key, version: stored?.version ?? null }], writes);
      if (result.kind === "committed") return true;
    }
    throw new Error("Cannot store it: too many requests at once; try again");
  }

  async of({
    conversationId,
    turnId,
  }: AskingTurn): Promise<{ readonly paths: readonly string[]; readonly taken: StorageBatch | undefined }> {
    const key = prefix + turnId;
    const stored = await this.#storage.getVersioned(key, storedSchema);
    if (stored === undefined || stored.value.conversationId !== conversationId)
      return { paths: [], taken: undefined };
    const taken = this.#storage.batch([{ key, version: stored.version }], [{ kind: "delete", key }]);
    return { paths: stored.value.paths, taken };
  }

  /** Oldest first: turn ids sort by time. */
  async #outdated(): Promise<readonly StorageWrite[]> {
    const oldest = await this.#storage.list({ prefix, limit: 20 }, storedSchema);
    const before = this.#now() - keptMs;
    return oldest.flatMap(({ key, value }) => (value.atMs < before ? [{ kind: "delete", key } as const] : []));
  }
}
