import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  AnswerContent,
  ApprovalDecision,
  ApprovalId,
  ConversationId,
  QuestionAction,
  QuestionId,
} from "@incipit/schema";

/** What a person says to a question. */
export interface GivenAnswer {
  readonly action: QuestionAction;
  /** Goes with `accept`. */
  readonly content?: AnswerContent;
  /** Cancelled, because nobody is there to ask. Absent: a person answers. */
  readonly isUnattended?: boolean;
}

/**
 * A person's answers. A service of its own, so that whoever may send turns may not allow what they cause: it is for the ways in
 * that a person has, such as HTTP or a chat channel.
 */
export interface ApprovalsService {
  /**
   * Answers a tool call that waits for approval (`Conversation.approvals`); when it resolves, the answer is stored. Rejects
   * with {@link ServiceError} `APPROVAL_UNKNOWN` for what was never asked here, and `APPROVAL_ENDED` for what was answered, or
   * is over.
   */
  answerApproval(
    id: ConversationId,
    approvalId: ApprovalId,
    /** `isUnattended`: denied, because nobody is there to ask. Absent: a person answers. */
    options: { readonly decision: ApprovalDecision; readonly isUnattended?: boolean },
  ): Promise<void>;
  /**
   * Answers a question of a tool call (`Conversation.questions`); when it resolves, the question is over, and what was answered
   * is with whoever asked, and stored nowhere. Rejects with {@link ServiceError} `QUESTION_UNKNOWN`, `QUESTION_ENDED`, and
   * `ANSWER_INVALID` for content that does not fit its fields: it stays open then.
   */
  answerQuestion(id: ConversationId, questionId: QuestionId, options: GivenAnswer): Promise<void>;
}

export const approvalsHandle: ServiceHandle<ApprovalsService> = defineHandle<ApprovalsService>("approvals@1", {
  answerApproval: "function",
  answerQuestion: "function",
});
