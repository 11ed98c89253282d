import {
  approvalIdSchema,
  conversationIdSchema,
  messageIdSchema,
  stepIdSchema,
  turnIdSchema,
} from "@incipit/service-contract";
import type { ApprovalId, ConversationId, MessageId, StepId, TurnId } from "@incipit/service-contract";

/** UUIDv7 (RFC 9562): ordered by the time of their making. */
function uuid(nowMs: number): string {
  return Bun.randomUUIDv7("hex", nowMs);
}

export const newConversationId = (nowMs: number): ConversationId => conversationIdSchema.parse(uuid(nowMs));
export const newTurnId = (nowMs: number): TurnId => turnIdSchema.parse(uuid(nowMs));
export const newStepId = (nowMs: number): StepId => stepIdSchema.parse(uuid(nowMs));
export const newMessageId = (nowMs: number): MessageId => messageIdSchema.parse(uuid(nowMs));
export const newApprovalId = (nowMs: number): ApprovalId => approvalIdSchema.parse(uuid(nowMs));
