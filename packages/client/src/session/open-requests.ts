import type { Conversation, TurnEvent } from "@incipit/schema";

type OpenRequests = Pick<Conversation, "approvals" | "questions">;

/** Approvals and questions that are open after an event. A later turn's may be known before their events. */
export function requestsAfter({ approvals, questions }: OpenRequests, event: TurnEvent): OpenRequests {
  switch (event.type) {
    case "approval-request": {
      const { type: _, seq: __, at: ___, ...approval } = event;
      const others = approvals.filter(({ approvalId }) => approvalId !== event.approvalId);
      return { approvals: [...others, approval], questions };
    }
    case "approval-end":
      return { approvals: approvals.filter(({ approvalId }) => approvalId !== event.approvalId), questions };
    case "question-request": {
      const { type: _, seq: __, at: ___, ...question } = event;
      const others = questions.filter(({ questionId }) => questionId !== event.questionId);
      return { approvals, questions: [...others, question] };
    }
    case "question-end":
      return { approvals, questions: questions.filter(({ questionId }) => questionId !== event.questionId) };
    case "turn-end":
    case "compaction-end":
      return {
        approvals: approvals.filter(({ turnId }) => turnId !== event.turnId),
        questions: questions.filter(({ turnId }) => turnId !== event.turnId),
      };
    default:
      return { approvals, questions };
  }
}
