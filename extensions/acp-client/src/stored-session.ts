import type { Storage } from "@incipit/kernel";
import { toldInstructionsSchema } from "@incipit/schema";
import * as z from "zod";
import { keepSessionMs } from "./limits.ts";

const storedSessionSchema = z.object({
  sessionId: z.string(),
  /** Hash of the program and its arguments: another one does not have the session. */
  program: z.string(),
  cwd: z.string(),
  /** Hash of the system text that it was told; `null`: none. */
  systemSha256: z.string().nullable(),
  by: toldInstructionsSchema.shape.by.nullable(),
  messageCount: z.int().nonnegative(),
  messagesSha256: z.string(),
  /** Which of the told messages its last prompt began with, where that has not ended as it should; `null`: it has. */
  openFrom: z.int().nonnegative().nullable(),
  usedAtMs: z.number(),
});
/** The session of an agent in which a conversation goes on. It holds none of what was said. */
export type StoredSession = z.output<typeof storedSessionSchema>;

/** The sessions of one agent, by conversation. One that cannot be read is as good as none: another begins. */
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

  /** Forgets those that nobody has used for long. */
  async sweep(nowMs: number): Promise<void> {
    const ignored = { onInvalid: () => undefined };
    for await (const { key, value } of this.#storage.entries(this.#prefix, storedSessionSchema, ignored))
      if (value.usedAtMs < nowMs - keepSessionMs) await this.#storage.delete(key);
  }

  #key(conversationId: string): string {
    return `${this.#prefix}${conversationId}`;
  }
}
