import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** A generation's successor respects its locks until it ends. */
export interface ConversationLocks {
  holds(id: string): Promise<boolean>;
}

export const conversationHoldsHandle: ServiceHandle<ConversationLocks> = defineHandle<ConversationLocks>(
  "client-conversation-holds@1",
  { holds: "function" },
);
