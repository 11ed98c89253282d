import type { Storage } from "@incipit/kernel";
import { toldInstructionsSchema } from "@incipit/schema";
import * as z from "zod";
import { keepSessionMs } from "./limits.ts";

const storedSessionSchema = z.object({
  sessionId: z.string(),
  /** Hash of the command: another program does not have the session. */
  program: z.string(),
  cwd: z.string(),
  systemSha256: z.string().nullable(),
  by: toldInstructionsSchema.shape.by.nullable(),
  messageCount: z.int().nonnegative(),
  messagesSha256: z.string(),
  /** Index of the first message of an unfinished last prompt; `null` when it has finished. */
  openFrom: z.int().nonnegative().nullable(),
  usedAtMs: z.number(),
});
export type StoredSession = z.output<typeof storedSessionSchema>;

export class StoredSessions {
  readonly #storage: Storage;
  readonly #prefix: string;

  constructor(storage: Storage, agent: string) {
    this.#storage = storage;
    this.#prefix = `session/${agent}/`;
  }

  async get(conversationId: string): Promise<StoredSession | undefined> {
    const range = { start: this.#key(conversationId), end: `${this.#key(conversationId)} `, limit: 1 };
    const found = await this.#storage.list({ ...range, onInvalid: () => undefined }, storedSessionSchema);
    return found[0]?.value;
  }

  async set(conversationId: string, session: StoredSession): Promise<void> {
    await this.#storage.set(this.#key(conversationId), session);
  }

  async sweep(nowMs: number): Promise<void> {
    const ignored = { onInvalid: () => undefined };
    for await (const { key, value } of this.#storage.entries(this.#prefix, storedSessionSchema, ignored))
      if (value.usedAtMs < nowMs - keepSessionMs) await this.#storage.delete(key);
  }

  #key(conversationId: string): string {
    return `${this.#prefix}${conversationId}`;
  }
}
