import { ServiceError } from "@incipit/service-contract";

export function conversationUnknown(id: string): ServiceError {
  return new ServiceError(
    "CONVERSATION_UNKNOWN",
    `There is no conversation "${id}"; GET /conversations lists them`,
  );
}
