import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  AllowedCalls,
  AnswerContent,
  ApprovalDecision,
  ApprovalId,
  ConversationId,
  CreateTurnRequest,
  QuestionAction,
  QuestionId,
} from "@incipit/schema";
import type { AcknowledgedTurn, SendOptions, TurnToMake } from "./conversations.ts";

export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** What an `allow-always` covers: the id of one of the question's scopes. Absent: every call of the tool. */
  readonly scope?: string;
  /** It holds in the later conversations of the folder, too (`Approval.forFolder`). Refused to extensions of others. */
  readonly isForFolder?: boolean;
  /** Denied, because nobody is there to ask. Absent: a person answers. */
  readonly isUnattended?: boolean;
}

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
   * is over, and `INVALID_REQUEST` for a scope that the question does not have.
   */
  answerApproval(id: ConversationId, approvalId: ApprovalId, answer: ApprovalAnswer): Promise<void>;
  /** As `ConversationsService.send`, with calls that a person allows in this turn beforehand, as `grantsSchema` takes them. */
  sendAllowing(
    id: ConversationId,
    request: CreateTurnRequest | TurnToMake,
    options: SendOptions & { readonly allow: readonly string[] },
  ): Promise<AcknowledgedTurn>;
  /** What was allowed for good in a conversation, oldest first. */
  allowedCalls(id: ConversationId): Promise<readonly AllowedCalls[]>;
  /** Takes one of them back: such calls are asked about again. Rejects with `APPROVAL_UNKNOWN`. */
  takeBackAllowed(id: ConversationId, approvalId: ApprovalId): Promise<void>;
  /**
   * Answers a question of a tool call (`Conversation.questions`); when it resolves, the question is over, and what was answered
   * is with whoever asked, and stored nowhere. Rejects with {@link ServiceError} `QUESTION_UNKNOWN`, `QUESTION_ENDED`, and
   * `ANSWER_INVALID` for content that does not fit its fields: it stays open then.
   */
  answerQuestion(id: ConversationId, questionId: QuestionId, options: GivenAnswer): Promise<void>;
}

export const approvalsHandle: ServiceHandle<ApprovalsService> = defineHandle<ApprovalsService>("approvals@1", {
  answerApproval: "function",
  sendAllowing: "function",
  allowedCalls: "function",
  takeBackAllowed: "function",
  answerQuestion: "function",
});
