import { ServiceError } from "@incipit/service-contract";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";

/** @throws {ServiceError} `CONVERSATION_UNKNOWN`. */
export function assertNotDeleted({ record, work }: LoadedConversation): void {
  if (work.isClosed) throw conversationUnknown(record.id);
  if (record.deletedAt === undefined) return;
  const message = `Conversation "${record.id}" is deleted and will be erased soon: undo the deletion on the page where it was deleted, or use another conversation`;
  throw new ServiceError("CONVERSATION_UNKNOWN", message, { next: { action: "list-conversations" } });
}
