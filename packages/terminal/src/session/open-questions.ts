import type { Approval, Conversation, Question, TurnEvent } from "@incipit/schema";

/** What waits for an answer in a conversation, each oldest first. */
export class OpenQuestions {
  #approvals: readonly Approval[] = [];
  #questions: readonly Question[] = [];

  get approvals(): readonly Approval[] {
    return this.#approvals;
  }

  get questions(): readonly Question[] {
    return this.#questions;
  }

  /** As the host says it. */
  set({ approvals, questions }: Pick<Conversation, "approvals" | "questions">): void {
    this.#approvals = approvals;
    this.#questions = questions;
  }

  /** None of a turn outlives it. */
  take(event: TurnEvent): void {
    switch (event.type) {
      case "approval-request": {
        const { type: _, seq: __, at: ___, ...approval } = event;
        this.#approvals = [...this.#approvalsBut(approval.approvalId), approval];
        return;
      }
      case "approval-end":
        this.#approvals = this.#approvalsBut(event.approvalId);
        return;
      case "question-request": {
        const { type: _, seq: __, at: ___, ...question } = event;
        this.#questions = [...this.#questionsBut(question.questionId), question];
        return;
      }
      case "question-end":
        this.#questions = this.#questionsBut(event.questionId);
        return;
      default:
    }
  }

  /** A question of a later turn may be there before the events of that turn: it stays. */
  turnEnded(id: string): void {
    this.#approvals = this.#approvals.filter(({ turnId }) => turnId !== id);
    this.#questions = this.#questions.filter(({ turnId }) => turnId !== id);
  }

  #approvalsBut(id: string): readonly Approval[] {
    return this.#approvals.filter(({ approvalId }) => approvalId !== id);
  }

  #questionsBut(id: string): readonly Question[] {
    return this.#questions.filter(({ questionId }) => questionId !== id);
  }
}
