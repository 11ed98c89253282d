import { ServiceError } from "@incipit/service-contract";

export function conversationUnknown(id: string): ServiceError {
  const next = { action: "list-conversations" } as const;
  return new ServiceError("CONVERSATION_UNKNOWN", `No conversation has the id "${id}"`, { next });
}
