import {
  approvalIdSchema,
  messageIdSchema,
  questionIdSchema,
  type ApprovalId,
  type MessageId,
  type QuestionId,
} from "@incipit/schema";

function uuid(nowMs: number): string {
  return Bun.randomUUIDv7("hex", nowMs);
}

export const newMessageId = (nowMs: number): MessageId => messageIdSchema.parse(uuid(nowMs));
export const newApprovalId = (nowMs: number): ApprovalId => approvalIdSchema.parse(uuid(nowMs));
export const newQuestionId = (nowMs: number): QuestionId => questionIdSchema.parse(uuid(nowMs));
