import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** Conversations locked by a generation; its successor respects the locks until it ends. */
export interface ConversationLocks {
  holds(id: string): Promise<boolean>;
}

/** Internal: for the next generation. */
export const conversationHoldsHandle: ServiceHandle<ConversationLocks> = defineHandle<ConversationLocks>(
  "client-conversation-holds@1",
  { holds: "function" },
);
