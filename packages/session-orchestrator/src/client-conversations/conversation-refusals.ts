import { ServiceError } from "@incipit/service-contract";

export function conversationChanged(id: string): ServiceError {
  const message = `Conversation "${id}" was changed concurrently: try again`;
  return new ServiceError("CONVERSATION_BUSY", message, { details: [{ field: '"conversation"', message }] });
}

export function conversationUnknown(id: string): ServiceError {
  const message = `There is no conversation "${id.slice(0, 100)}" for this token: it was deleted, or not created with POST /v1/conversations`;
  return new ServiceError("CONVERSATION_UNKNOWN", message, { details: [{ field: '"conversation"', message }] });
}

export function itemUnknown(id: string, itemId: string): ServiceError {
  return new ServiceError("MESSAGE_UNKNOWN", `Conversation "${id}" has no item "${itemId.slice(0, 100)}"`);
}

export function noRoom(id: string, why: string): ServiceError {
  const message = `Conversation "${id}" has ${why}: begin another one`;
  return new ServiceError("INVALID_REQUEST", message, { details: [{ field: '"conversation"', message }] });
}

export function afterUnknown(id: string, after: string): ServiceError {
  const message = `must be the id of an item of "${id}": "${after.slice(0, 100)}" is none`;
  return new ServiceError("INVALID_REQUEST", `The request is not valid: "after": ${message}`, {
    details: [{ field: '"after"', message }],
  });
}
