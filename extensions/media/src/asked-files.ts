import type { Storage, StorageBatch, StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { maxFiles } from "./split-reply.ts";

/** What nobody has taken by then belongs to a conversation whose replies nobody is sent. */
const keptMs = 30 * 86_400_000;
const maxTries = 20;
const prefix = "asked/";

const storedSchema = lazySchema(() =>
  z.object({ conversationId: z.string(), atMs: z.int(), paths: z.array(z.string()) }),
);

/** Whose turn it is. */
export interface AskingTurn {
  readonly conversationId: string;
  readonly turnId: string;
}

/** The files that models have asked to be sent with the reply of a turn, until whoever sends them has taken them over. */
export class AskedFiles {
  readonly #storage: Storage;
  readonly #now: () => number;

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Keeps a path for the reply of a turn, once however often it is asked for. `false`: there are as many as a reply sends. */
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
    throw new Error("It could not be kept: too much is asked for at once; try again");
  }

  /** What is to be sent with that reply, and the writes that forget it. */
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

  /** The oldest come first: ids of turns are in the order of time. */
  async #outdated(): Promise<readonly StorageWrite[]> {
    const oldest = await this.#storage.list({ prefix, limit: 20 }, storedSchema);
    const before = this.#now() - keptMs;
    return oldest.flatMap(({ key, value }) => (value.atMs < before ? [{ kind: "delete", key } as const] : []));
  }
}
