import type { Storage, StorageBatch } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import { ServiceError, type ConversationTexts, type RequestTier } from "@incipit/service-contract";
import * as z from "zod";
import { getStored } from "./stored.ts";

const maxBytes = 1_048_576;

const systemMessagesSchema = lazySchema(() =>
  z.object({ system: z.array(z.string()), mode: z.enum(["replace", "append"]) }),
);

export class ConversationMessages implements ConversationTexts {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @throws {ServiceError} `STORED_DATA_DAMAGED`. */
  async get(conversationId: string): Promise<RequestTier | undefined> {
    return (await getStored(this.#storage, keyOf(conversationId), systemMessagesSchema))?.value;
  }

  async give(conversationId: string, tier: RequestTier | null): Promise<StorageBatch> {
    const key = keyOf(conversationId);
    if (tier === null) return this.#storage.batch([], [{ kind: "delete", key }]);
    const { system, mode } = tier;
    const sizeBytes = system.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (sizeBytes > maxBytes) {
      const message = `The system texts of a conversation have ${sizeBytes} bytes; at most ${maxBytes} are kept: make them shorter`;
      throw new ServiceError("TEMPLATE_TOO_LARGE", message);
    }
    return this.#storage.batch([], [{ kind: "set", key, value: { system: [...system], mode } }]);
  }

  async copy(fromConversationId: string, { to }: { readonly to: string }): Promise<StorageBatch | null> {
    const tier = await this.get(fromConversationId);
    return tier === undefined ? null : this.give(to, tier);
  }

  async forget(conversationId: string): Promise<void> {
    await this.#storage.delete(keyOf(conversationId));
  }
}

function keyOf(conversationId: string): string {
  return `given:${conversationId}`;
}
