import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type { RequestTier } from "./system-prompt.ts";

/**
 * System texts that conversations are given by whoever begins them, such as an editor: with `replace` they are the base of
 * each prompt that is constructed for the conversation, with `append` they stand behind the base. They are no templates.
 * What is kept already stays as it is until it is constructed again.
 */
export interface ConversationTexts {
  /**
   * The writes that keep them; `null`: none. Nothing is stored until they are committed.
   * @throws {ServiceError} `TEMPLATE_TOO_LARGE` over 1 MiB of UTF-8.
   */
  give(conversationId: string, tier: RequestTier | null): Promise<StorageBatch>;
  /** The writes that keep for a fork what its source was given; `null`: nothing. */
  copy(fromConversationId: string, options: { readonly to: string }): Promise<StorageBatch | null>;
}

/** Provided by a prompt builder that takes such texts; `SystemPromptService.forget` deletes them. */
export const conversationTextsHandle: ServiceHandle<ConversationTexts> = defineHandle<ConversationTexts>(
  "conversation-texts@1",
  { give: "function", copy: "function" },
);
