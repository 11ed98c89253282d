import type { Clock, Storage } from "@incipit/kernel";
import {
  answerProblems,
  requesterName,
  type AnswerContent,
  type Requester,
  type Question,
  type QuestionAction,
  type QuestionEndReason,
  type QuestionId,
  type TurnId,
} from "@incipit/schema";
import { ServiceError, type GivenAnswer } from "@incipit/service-contract";
import type { EventLog, NewEvent } from "../events/event-log.ts";
import { newQuestionId } from "../store/ids.ts";
import { endedQuestionSchema, keys } from "../store/stored.ts";
import { hostStops } from "../waits/host-stops.ts";
import type { ParsedQuestion } from "./parse-question.ts";
import { StoredQuestions, type EndedQuestion } from "./stored-questions.ts";

export interface QuestionEnd {
  readonly action: QuestionAction;
  readonly reason: QuestionEndReason;
}

interface Answered extends QuestionEnd {
  readonly content?: AnswerContent;
}

export interface QuestionOfCall {
  readonly turnId: TurnId;
  readonly toolCallId: string;
  readonly asker: Requester;
  readonly asked: ParsedQuestion;
  /** Shows the question and cancels it immediately. */
  readonly isUnattended: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly withdrawn: AbortSignal | undefined;
}

/** Each question ends once. The answer's content is not stored. */
export class Questions {
  readonly #conversationId: string;
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #questions: StoredQuestions<Question, Answered>;

  constructor(options: {
    readonly conversationId: string;
    readonly storage: Storage;
    readonly clock: Clock;
    readonly log: EventLog;
  }) {
    this.#conversationId = options.conversationId;
    this.#storage = options.storage;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#questions = new StoredQuestions({ ...options, kind: "question", ended: (id) => this.#ended(id) });
  }

  get open(): readonly Question[] {
    return this.#questions.stored;
  }

  /** Rejects when storing fails. */
  async ask({
    asker,
    asked,
    turnId,
    toolCallId,
    isUnattended,
    timeoutMs,
    signal,
    withdrawn,
  }: QuestionOfCall): Promise<Answered> {
    const { message, fields } = asked;
    const from = requesterName(asker);
    const nowMs = this.#clock.now();
    const questionId = newQuestionId(nowMs);
    const expiresAt = new Date(nowMs + timeoutMs).toISOString();
    const question: Question = {
      questionId,
      turnId,
      toolCallId,
      asker,
      from,
      message,
      fields: [...fields],
      expiresAt,
    };
    const request: NewEvent = { type: "question-request", ...question };
    if (isUnattended) {
      const end = { action: "cancel", reason: "unattended" } as const;
      await this.#log.append([request, this.#endEvent(question, end)], [this.#endWrite(question, end)]);
      return end;
    }
    return this.#questions.ask(questionId, question, {
      begin: () => this.#log.append([request]),
      endUnanswered: async () => {
        const end: QuestionEnd = { action: "cancel", reason: unanswered(signal, withdrawn) };
        await this.#storeEnd(question, end);
        return end;
      },
      timeoutMs,
      signal: withdrawn === undefined ? signal : AbortSignal.any([signal, withdrawn]),
    });
  }

  /**
   * @throws {ServiceError} `QUESTION_UNKNOWN`, `QUESTION_ENDED`, `ANSWER_INVALID`; a storage failure keeps the question
   * open.
   */
  async answer(questionId: QuestionId, { action, content, isUnattended = false }: GivenAnswer): Promise<void> {
    await this.#questions.answer(questionId, (question) => {
      const answer: Answered = isUnattended
        ? { action: "cancel", reason: "unattended" }
        : action === "accept"
          ? { action, reason: "answered", content: fittingContent(question, content ?? {}) }
          : { action, reason: "answered" };
      const end: QuestionEnd = { action: answer.action, reason: answer.reason };
      return { answer, store: () => this.#storeEnd(question, end) };
    });
  }

  #storeEnd(question: Question, end: QuestionEnd): Promise<void> {
    return this.#log.append([this.#endEvent(question, end)], [this.#endWrite(question, end)]);
  }

  #endEvent({ turnId, questionId }: Question, end: QuestionEnd): NewEvent {
    return { type: "question-end", turnId, questionId, ...end };
  }

  #endWrite({ questionId }: Question, end: QuestionEnd): ReturnType<typeof questionEndWrite> {
    return questionEndWrite(this.#conversationId, questionId, end);
  }

  async #ended(id: string): Promise<EndedQuestion | undefined> {
    const details = await this.#storage.get(keys.question(this.#conversationId, id), endedQuestionSchema);
    return details === undefined ? undefined : { outcome: details.action, details };
  }
}

function unanswered(signal: AbortSignal, withdrawn: AbortSignal | undefined): QuestionEndReason {
  if (signal.aborted) return signal.reason === hostStops ? "interrupted" : "stopped";
  return withdrawn?.aborted === true ? "withdrawn" : "expired";
}

/** @throws {ServiceError} `ANSWER_INVALID` with the fields, but without the given values. */
function fittingContent({ fields }: Question, content: AnswerContent): AnswerContent {
  const problems = answerProblems(fields, content);
  if (problems.length === 0) return content;
  const said = problems.map(({ field, message }) => `"${field.slice(0, 100)}" ${message}`).join("; ");
  throw new ServiceError("ANSWER_INVALID", `The answer does not fit the question, which stays open: ${said}`, {
    details: { fields: problems },
  });
}

/** Prevents a second answer. */
export function questionEndWrite(
  conversationId: string,
  questionId: QuestionId,
  end: QuestionEnd,
): { readonly kind: "set"; readonly key: string; readonly value: { readonly [key: string]: string } } {
  return { kind: "set", key: keys.question(conversationId, questionId), value: { ...end } };
}
