import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  AllowedCalls,
  AnswerContent,
  ApprovalDecision,
  ApprovalId,
  ConversationId,
  QuestionAction,
  QuestionId,
} from "@incipit/schema";
import type { AcknowledgedTurn, SendOptions, SentMessage } from "./conversations.ts";

export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** Scope of an `allow-always`: the id of one of the approval's scopes. Defaults to every call of the tool. */
  readonly scope?: string;
  /**
   * Extends the permission to later conversations in the folder (`Approval.forFolder`). Rejected for third-party
   * extensions.
   */
  readonly isForFolder?: boolean;
  /** Set when the host denies because no user is available. */
  readonly isUnattended?: boolean;
}

/** A user's answer to a question of a tool. */
export interface GivenAnswer {
  readonly action: QuestionAction;
  /** Field values; present with `accept`. */
  readonly content?: AnswerContent;
  /** Set when the host cancels because no user is available. */
  readonly isUnattended?: boolean;
}

/**
 * Answers of users to approvals and questions. Separate from `conversations@1`, so that an extension that may send
 * turns cannot approve their tool calls. For user-facing channels, such as HTTP or a chat channel.
 */
export interface ApprovalsService {
  /**
   * Answers a pending approval (`Conversation.approvals`) and stores the answer.
   * @throws {ServiceError} `APPROVAL_UNKNOWN`; `APPROVAL_ENDED` for one already answered or expired;
   * `INVALID_REQUEST` for an unknown scope.
   */
  answerApproval(id: ConversationId, approvalId: ApprovalId, answer: ApprovalAnswer): Promise<void>;
  /**
   * Like `ConversationsService.send`, with calls that the user allows in advance for this turn, in the format of
   * `grantsSchema`.
   */
  sendAllowing(
    id: ConversationId,
    request: SentMessage,
    options: SendOptions & { readonly allow: readonly string[] },
  ): Promise<AcknowledgedTurn>;
  /** Lists the permanent permissions of a conversation, oldest first. */
  allowedCalls(id: ConversationId): Promise<readonly AllowedCalls[]>;
  /**
   * Revokes a permanent permission, so that matching calls require approval again.
   * @throws {ServiceError} `APPROVAL_UNKNOWN`.
   */
  takeBackAllowed(id: ConversationId, approvalId: ApprovalId): Promise<void>;
  /**
   * Answers a tool's question (`Conversation.questions`). The answer is passed to the tool and not stored.
   * @throws {ServiceError} `QUESTION_UNKNOWN`, `QUESTION_ENDED`, or `ANSWER_INVALID` for content that does not
   * match the fields; the question stays open then.
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
