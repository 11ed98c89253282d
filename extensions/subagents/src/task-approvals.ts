import { errorMessage, type Log, type ServiceReference } from "@incipit/kernel";
import type { ApprovalDecision, ApprovalId, ConversationId, TurnEvent } from "@incipit/schema";
import {
  ServiceError,
  type ApprovalsService,
  type PermissionAnswer,
  type ToolQuestion,
} from "@incipit/service-contract";

type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;

export interface TaskQuestionsOptions {
  readonly conversationId: ConversationId;
  readonly who: string;
  readonly approvals: ServiceReference<ApprovalsService>;
  readonly ask: (question: ToolQuestion) => Promise<PermissionAnswer>;
  readonly log: Log;
}

/** The first answer counts in both conversations. */
export class TaskApprovals {
  readonly #options: TaskQuestionsOptions;
  readonly #open = new Map<ApprovalId, PromiseWithResolvers<ApprovalDecision>>();

  constructor(options: TaskQuestionsOptions) {
    this.#options = options;
  }

  take(event: TurnEvent): void {
    if (event.type === "approval-request") void this.#ask(event);
    if (event.type !== "approval-end") return;
    const open = this.#open.get(event.approvalId);
    this.#open.delete(event.approvalId);
    // All other outcomes end the turn or the time limit, which also covers the caller's request.
    if (event.reason === "answered") open?.resolve(event.decision);
  }

  /** Never rejects. */
  async #ask({ approvalId, name, asker, input, preview, why }: ApprovalRequest): Promise<void> {
    const { conversationId, who, approvals, ask, log } = this.#options;
    const elsewhere = Promise.withResolvers<ApprovalDecision>();
    this.#open.set(approvalId, elsewhere);
    try {
      const asked = `${who} asks, in conversation ${conversationId}`;
      const { decision, reason } = await ask({
        name,
        asker,
        input,
        ...(preview === undefined ? {} : { preview }),
        why: why === undefined ? asked : `${asked}: ${why}`,
        elsewhere: elsewhere.promise,
      });
      const isUnattended = reason === "unattended";
      if ((reason !== "answered" && !isUnattended) || !this.#open.has(approvalId)) return;
      const options = { decision: decision === "deny" ? "deny" : "allow", isUnattended } as const;
      await approvals.get().answerApproval(conversationId, approvalId, options);
    } catch (error) {
      if (ServiceError.is(error) && error.code === "APPROVAL_ENDED") return;
      log.warn("Cannot forward a task's question to its caller's conversation; it waits in its own", {
        conversationId,
        error: errorMessage(error),
      });
    }
  }
}
