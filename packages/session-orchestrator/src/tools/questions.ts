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
import { ServiceError, type GivenAnswer, type ValuesAnswer, type ValuesQuestion } from "@incipit/service-contract";
import type { EventLog, NewEvent } from "../events/event-log.ts";
import { newQuestionId } from "../store/ids.ts";
import { endedQuestionSchema, keys } from "../store/stored.ts";
import { hostStops, settle } from "../waits/settle.ts";
import { type ParsedQuestion, parseQuestion } from "./parse-question.ts";
import type { CallProgress } from "./call-progress.ts";

interface QuestionEnd {
  readonly action: QuestionAction;
  readonly reason: QuestionEndReason;
}

interface Answered extends QuestionEnd {
  readonly content?: AnswerContent;
}

interface QuestionOfCall {
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

export interface AskingOptions {
  readonly conversationId: string;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: EventLog;
}

/** Each question ends once. The answer's content is not stored. */
export class Questions {
  readonly #options: AskingOptions;
  readonly #questions: StoredQuestions<Question, Answered>;

  constructor(options: AskingOptions) {
    this.#options = options;
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
    const nowMs = this.#options.clock.now();
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
      await this.#options.log.append([request, this.#endEvent(question, end)], [this.#endWrite(question, end)]);
      return end;
    }
    return this.#questions.ask(questionId, question, {
      begin: () => this.#options.log.append([request]),
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
    return this.#options.log.append([this.#endEvent(question, end)], [this.#endWrite(question, end)]);
  }

  #endEvent({ turnId, questionId }: Question, end: QuestionEnd): NewEvent {
    return { type: "question-end", turnId, questionId, ...end };
  }

  #endWrite({ questionId }: Question, end: QuestionEnd): ReturnType<typeof questionEndWrite> {
    return questionEndWrite(this.#options.conversationId, questionId, end);
  }

  async #ended(id: string): Promise<EndedQuestion | undefined> {
    const details = await this.#options.storage.get(
      keys.question(this.#options.conversationId, id),
      endedQuestionSchema,
    );
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

interface OpenQuestion<Asked, Answer> {
  readonly asked: Asked;
  readonly answered: PromiseWithResolvers<Answer>;
  answering: Promise<Answer | undefined> | undefined;
  /** Only stored questions are visible, so that they survive a crash. */
  isStored: boolean;
}

interface QuestionLife<Answer> {
  readonly begin: () => Promise<unknown>;
  readonly onBegun?: () => void;
  readonly endUnanswered: () => Promise<Answer>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface EndedQuestion {
  readonly outcome: string;
  readonly details: { readonly reason: string };
}

interface StoredQuestionsOptions {
  readonly conversationId: string;
  readonly clock: Clock;
  readonly kind: keyof typeof codes;
  readonly ended: (id: string) => Promise<EndedQuestion | undefined>;
}

const codes = {
  approval: { unknown: "APPROVAL_UNKNOWN", ended: "APPROVAL_ENDED" },
  question: { unknown: "QUESTION_UNKNOWN", ended: "QUESTION_ENDED" },
} as const;

/** Each question is stored before it is visible, and ends once. A failed commit keeps it open. */
export class StoredQuestions<Asked, Answer> {
  readonly #options: StoredQuestionsOptions;
  readonly #open = new Map<string, OpenQuestion<Asked, Answer>>();

  constructor(options: StoredQuestionsOptions) {
    this.#options = options;
  }

  get open(): readonly Asked[] {
    return [...this.#open.values()].map(({ asked }) => asked);
  }

  get stored(): readonly Asked[] {
    return [...this.#open.values()].flatMap(({ asked, isStored }) => (isStored ? [asked] : []));
  }

  /** Rejects when storing fails. */
  async ask(id: string, asked: Asked, life: QuestionLife<Answer>): Promise<Answer> {
    const open: OpenQuestion<Asked, Answer> = {
      asked,
      answered: Promise.withResolvers(),
      answering: undefined,
      isStored: false,
    };
    this.#open.set(id, open);
    try {
      await life.begin();
      open.isStored = true;
      life.onBegun?.();
      return (await this.#answerTo(open, life)) ?? (await this.#unanswered(id, life));
    } finally {
      this.#open.delete(id);
    }
  }

  /** @throws {ServiceError} for a question that is unknown, ended or being answered; and errors of `toAnswer`. */
  async answer(
    id: string,
    toAnswer: (asked: Asked) => { readonly answer: Answer; readonly store: () => Promise<unknown> },
  ): Promise<Asked> {
    const open = this.#open.get(id);
    if (open === undefined || open.answering !== undefined) throw await this.#refusal(id, open !== undefined);
    const { answer, store } = toAnswer(open.asked);
    const stored = store();
    open.answering = stored.then(
      () => answer,
      () => (open.answering = undefined), // The caller receives the error and may retry.
    );
    await stored;
    this.#open.delete(id);
    open.answered.resolve(answer);
    return open.asked;
  }

  async #answerTo(
    open: OpenQuestion<Asked, Answer>,
    { timeoutMs, signal }: Pick<QuestionLife<Answer>, "signal" | "timeoutMs">,
  ): Promise<Answer | undefined> {
    const next = await settle(open.answered.promise, { timeoutMs, clock: this.#options.clock, signal });
    return next.kind === "value" ? next.value : open.answering;
  }

  #unanswered(id: string, { endUnanswered }: Pick<QuestionLife<Answer>, "endUnanswered">): Promise<Answer> {
    this.#open.delete(id);
    return endUnanswered();
  }

  async #refusal(id: string, isBeingAnswered: boolean): Promise<ServiceError> {
    const { kind, conversationId, ended: endOf } = this.#options;
    const ended = await endOf(id);
    if (ended === undefined && !isBeingAnswered) {
      const message = `No ${kind} in this conversation has the id "${id}"`;
      const next = { action: "show-conversation", conversationId } as const;
      return new ServiceError(codes[kind].unknown, message, { next });
    }
    const how = ended === undefined ? "is being answered" : `is over: ${ended.details.reason}, "${ended.outcome}"`;
    const message = `The ${kind} "${id}" ${how}; it can be answered once`;
    return new ServiceError(codes[kind].ended, message, ended === undefined ? {} : { details: ended.details });
  }
}

const maxQuestions = 20;

/** The call's timeout is paused during a question. */
export function askValues(
  questions: Questions,
  { progress, ...call }: Omit<QuestionOfCall, "asked" | "withdrawn"> & { readonly progress: CallProgress },
): (question: ValuesQuestion) => Promise<ValuesAnswer> {
  let count = 0;
  return async (question) => {
    if (call.signal.aborted) return { action: "cancel", reason: "stopped" };
    const asked = parseQuestion(question);
    count += 1;
    if (count > maxQuestions) return { action: "cancel", reason: "limit" };
    const go = progress.hold();
    try {
      return await questions.ask({ ...call, asked, withdrawn: question.signal });
    } finally {
      go();
    }
  };
}
