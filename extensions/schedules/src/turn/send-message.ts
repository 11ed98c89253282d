import type { StorageBatch } from "@incipit/kernel";
import type { ConversationId, CreateConversationRequest, CreateTurnRequest } from "@incipit/schema";
import { codeOf, type ConversationsService, type SentTurn } from "@incipit/service-contract";

export interface GatewayMessage {
  readonly request: CreateTurnRequest;
  /** Repeated sends with the same key result in one turn. */
  readonly idempotencyKey: string;
  /** `undefined` to create one. */
  readonly conversationId: ConversationId | undefined;
  /** The conversation was created for such messages: it gets the tools of a new one, and is replaced if deleted. */
  readonly isReplaceable: boolean;
  readonly newConversation: {
    readonly request: CreateConversationRequest;
    /** Runs in the commit that creates the conversation, so that no second one is created. */
    readonly join: (id: ConversationId) => StorageBatch;
  };
}

/** Creates the conversation if necessary. */
export async function sendMessage(
  conversations: ConversationsService,
  { request, idempotencyKey, conversationId, isReplaceable, newConversation }: GatewayMessage,
): Promise<SentTurn> {
  const make = async (): Promise<ConversationId> =>
    (await conversations.create(newConversation.request, { join: newConversation.join })).id;
  const { allowedTools = null } = newConversation.request;
  const sendTo = async (id: ConversationId): Promise<SentTurn> => ({
    conversationId: id,
    ...(await conversations.send(id, request, { idempotencyKey, isUnattended: true })),
  });
  try {
    if (conversationId === undefined) return await sendTo(await make());
    if (isReplaceable) await keepTools(conversations, conversationId, allowedTools);
    return await sendTo(conversationId);
  } catch (error) {
    if (!isReplaceable || codeOf(error) !== "CONVERSATION_UNKNOWN") throw error;
    return sendTo(await make());
  }
}

/** Tools removed from the configuration must not run. */
async function keepTools(
  conversations: ConversationsService,
  id: ConversationId,
  allowedTools: readonly string[] | null,
): Promise<void> {
  const { allowedTools: before } = await conversations.get(id);
  if (JSON.stringify(before) === JSON.stringify(allowedTools)) return;
  await conversations.update(id, { allowedTools: allowedTools === null ? null : [...allowedTools] });
}
