import type { Approval, Conversation, Question, TurnEvent } from "@incipit/schema";

export class OpenQuestions {
  #approvals: readonly Approval[] = [];
  #questions: readonly Question[] = [];

  get approvals(): readonly Approval[] {
    return this.#approvals;
  }

  get questions(): readonly Question[] {
    return this.#questions;
  }

  set({ approvals, questions }: Pick<Conversation, "approvals" | "questions">): void {
    this.#approvals = approvals;
    this.#questions = questions;
  }

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

  /** A later turn's question may be known before its events. */
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
