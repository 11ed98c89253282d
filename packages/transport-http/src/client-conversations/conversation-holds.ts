import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** Which conversations a generation works on: its successor leaves those to it until that has ended. */
export interface ConversationHolds {
  holds(id: string): Promise<boolean>;
}

/** For the next generation alone. */
export const conversationHoldsHandle: ServiceHandle<ConversationHolds> = defineHandle<ConversationHolds>(
  "client-conversation-holds@1",
  { holds: "function" },
);
