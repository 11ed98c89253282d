import type { ConversationId, Message } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { storedMessageSchema } from "../store/stored-message.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";

const pageSize = 200;

/**
 * Newest first.
 *
 * @throws {ServiceError} `MESSAGE_UNKNOWN`
 */
export async function messagesFrom(
  { storage }: OrchestratorContext,
  id: ConversationId,
  from: string,
): Promise<readonly Message[]> {
  const prefix = keys.messages(id);
  const found: Message[] = [];
  for (let end = `${prefix}~`; ;) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: pageSize }, storedMessageSchema);
    for (const { value } of page) {
      found.push(value);
      if (value.id === from) return found;
    }
    const oldest = page.at(-1);
    if (oldest !== undefined && page.length === pageSize) {
      end = oldest.key;
      continue;
    }
    const next = { action: "list-messages", conversationId: id } as const;
    throw new ServiceError("MESSAGE_UNKNOWN", `No message in this conversation has the id "${from}"`, { next });
  }
}

/** First message of a conversation missing in its fork; `null` without one, or if `copy` is not a fork. */
export async function firstLeftOut(
  context: OrchestratorContext,
  id: ConversationId,
  copy: ConversationId,
): Promise<string | null> {
  const { storage } = context;
  const record = await storage.get(keys.conversation(copy), storedConversationSchema);
  if (record?.forkedFrom?.conversationId !== id) return null;
  const { messageId } = record.forkedFrom;
  if (messageId !== null) return (await messagesFrom(context, id, messageId)).at(-2)?.id ?? null;
  const prefix = keys.messages(id);
  const [first] = await storage.list({ start: prefix, end: `${prefix}~`, limit: 1 }, storedMessageSchema);
  return first?.value.id ?? null;
}
