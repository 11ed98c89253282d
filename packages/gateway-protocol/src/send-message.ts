import type { StorageBatch } from "@incipit/kernel";
import {
  conversationIdSchema,
  lazySchema,
  type ConversationId,
  type CreateConversationRequest,
  type CreateTurnRequest,
} from "@incipit/schema";
import type { ConversationsService } from "@incipit/service-contract";
import * as z from "zod";
import type { SentTurn } from "./follow-turn.ts";
import { codeOf } from "./passing.ts";

/** How the conversation is stored that somebody has for itself. */
export const ownConversationSchema = lazySchema(() => z.object({ id: conversationIdSchema }));

export interface GatewayMessage {
  readonly request: CreateTurnRequest;
  /** However often it is sent with the same one, it is one turn. */
  readonly idempotencyKey: string;
  /** `undefined`: one is made. */
  readonly conversationId: ConversationId | undefined;
  /** Whether that one was made for messages like this: it has the tools of a new one, and another takes its place once it is deleted. */
  readonly isReplaceable: boolean;
  readonly newConversation: {
    readonly request: CreateConversationRequest;
    /** Stores whose it is in the commit that makes it: no other one is made for it. */
    readonly join: (id: ConversationId) => StorageBatch;
  };
}

/** Sends a message that no person has written, to its conversation or to one that is made for it. */
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

/** What its maker allows counts, also where that was configured anew since: what is allowed no more does not run again. */
async function keepTools(
  conversations: ConversationsService,
  id: ConversationId,
  allowedTools: readonly string[] | null,
): Promise<void> {
  const { allowedTools: before } = await conversations.get(id);
  if (JSON.stringify(before) === JSON.stringify(allowedTools)) return;
  await conversations.update(id, { allowedTools: allowedTools === null ? null : [...allowedTools] });
}
