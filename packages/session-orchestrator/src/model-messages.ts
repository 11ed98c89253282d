import type { Message, ModelMessage } from "@incipit/service-contract";

/** What a model gets of a history: all but its own reasoning, which vendors do not take back in this form. */
export function toModelMessage(message: Message): ModelMessage {
  return { role: message.role, parts: message.parts.filter((part) => part.type !== "reasoning") };
}
