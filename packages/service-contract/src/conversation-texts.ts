import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type { RequestTier } from "./system-prompt.ts";

/**
 * System messages supplied by the creator of a conversation, such as an editor. `replace` makes them the base of
 * each prompt constructed for the conversation, `append` adds them after the base. They are not templates. A stored
 * prompt does not change until its next construction.
 */
export interface ConversationTexts {
  /**
   * Returns the writes that store the messages; `null` clears them. The caller commits the batch.
   * @throws {ServiceError} `TEMPLATE_TOO_LARGE` over 1 MiB of UTF-8.
   */
  give(conversationId: string, tier: RequestTier | null): Promise<StorageBatch>;
  /** Returns the writes that copy a conversation's messages to its fork; `null` if it has none. */
  copy(fromConversationId: string, options: { readonly to: string }): Promise<StorageBatch | null>;
}

/** Provided by prompt builders that support it. `SystemPromptService.forget` deletes the messages. */
export const conversationTextsHandle: ServiceHandle<ConversationTexts> = defineHandle<ConversationTexts>(
  "conversation-texts@1",
  { give: "function", copy: "function" },
);
