import type { Clock, Storage } from "@incipit/kernel";
import {
  answerProblems,
  type AnswerContent,
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
import { nextEvent } from "../waits/next-event.ts";
import type { AskedValues } from "./asked-values.ts";

/** How a question ended, as it is kept; what was answered is not. */
export interface QuestionEnd {
  readonly action: QuestionAction;
  readonly reason: QuestionEndReason;
}

/** As whoever asked gets it. */
interface Answered extends QuestionEnd {
  readonly content?: AnswerContent;
}

interface OpenQuestion {
  readonly question: Question;
  readonly answered: PromiseWithResolvers<Answered>;
  /** An answer that is being stored; gives it once it is, `undefined` when it could not be. */
  answering: Promise<Answered | undefined> | undefined;
  /** Whoever has seen it finds it again, also behind a crash. */
  isStored: boolean;
}

export interface QuestionOfCall {
  readonly turnId: TurnId;
  readonly toolCallId: string;
  readonly asked: AskedValues;
  /** Nobody is there: it is shown, and over at once. */
  readonly isUnattended: boolean;
  readonly timeoutMs: number;
  /** The call's. */
  readonly signal: AbortSignal;
  /** Aborts when whoever asks wants no answer any more. */
  readonly withdrawn: AbortSignal | undefined;
}

/**
 * What the tool calls of one conversation ask a person. Each question is shown, and ends once: by an answer that fits it, by its
 * deadline, by whoever asked, or with its call. What was answered goes to whoever asked, and is kept nowhere.
 */
export class Questions {
  readonly #conversationId: string;
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: EventLog;
  /** In the order in which they were asked. */
  readonly #open = new Map<QuestionId, OpenQuestion>();

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
  }

  get open(): readonly Question[] {
    return [...this.#open.values()].flatMap(({ question, isStored }) => (isStored ? [question] : []));
  }

  /** Waits for the answer. Rejects when nothing can be stored. */
  async ask({ asked, turnId, toolCallId, isUnattended, timeoutMs, ...given }: QuestionOfCall): Promise<Answered> {
    const { from, message, fields } = asked;
    const nowMs = this.#clock.now();
    const questionId = newQuestionId(nowMs);
    const expiresAt = new Date(nowMs + timeoutMs).toISOString();
    const question: Question = { questionId, turnId, toolCallId, from, message, fields: [...fields], expiresAt };
    const request: NewEvent = { type: "question-request", ...question };
    if (isUnattended) {
      const end = { action: "cancel", reason: "unattended" } as const;
      await this.#log.append([request, this.#endEvent(question, end)], [this.#endWrite(question, end)]);
      return end;
    }
    const open: OpenQuestion = {
      question,
      answered: Promise.withResolvers(),
      answering: undefined,
      isStored: false,
    };
    this.#open.set(questionId, open);
    try {
      await this.#log.append([request]);
      open.isStored = true;
      return await this.#endOf(open, { timeoutMs, ...given });
    } finally {
      this.#open.delete(questionId);
    }
  }

  /** @throws {ServiceError} `QUESTION_UNKNOWN`, `QUESTION_ENDED`, `ANSWER_INVALID`; one that could not be stored leaves it open. */
  async answer(questionId: QuestionId, { action, content, isUnattended = false }: GivenAnswer): Promise<void> {
    const open = this.#open.get(questionId);
    if (open === undefined || open.answering !== undefined) throw await this.#notOpen(questionId, open);
    const answer: Answered = isUnattended
      ? { action: "cancel", reason: "unattended" }
      : action === "accept"
        ? { action, reason: "answered", content: fittingContent(open.question, content ?? {}) }
        : { action, reason: "answered" };
    const end: QuestionEnd = { action: answer.action, reason: answer.reason };
    const stored = this.#log.append([this.#endEvent(open.question, end)], [this.#endWrite(open.question, end)]);
    open.answering = stored.then(
      () => answer,
      () => (open.answering = undefined), // Whoever answered is told, and may try again.
    );
    await stored;
    this.#open.delete(questionId);
    open.answered.resolve(answer);
  }

  async #endOf(
    open: OpenQuestion,
    { timeoutMs, signal, withdrawn }: Pick<QuestionOfCall, "timeoutMs" | "signal" | "withdrawn">,
  ): Promise<Answered> {
    const answers: AsyncIterator<Answered> = {
      next: async () => ({ done: false, value: await open.answered.promise }),
    };
    const either = withdrawn === undefined ? signal : AbortSignal.any([signal, withdrawn]);
    const next = await nextEvent(answers, { timeoutMs, clock: this.#clock, signal: either });
    const answered = next.kind === "value" ? next.value : await open.answering;
    if (answered !== undefined) return answered;
    this.#open.delete(open.question.questionId);
    const end: QuestionEnd = { action: "cancel", reason: unanswered(signal, withdrawn) };
    await this.#log.append([this.#endEvent(open.question, end)], [this.#endWrite(open.question, end)]);
    return end;
  }

  #endEvent({ turnId, questionId }: Question, end: QuestionEnd): NewEvent {
    return { type: "question-end", turnId, questionId, ...end };
  }

  #endWrite({ questionId }: Question, end: QuestionEnd): ReturnType<typeof questionEndWrite> {
    return questionEndWrite(this.#conversationId, questionId, end);
  }

  async #notOpen(questionId: QuestionId, open: OpenQuestion | undefined): Promise<ServiceError> {
    const ended = await this.#storage.get(keys.question(this.#conversationId, questionId), endedQuestionSchema);
    if (ended === undefined && open === undefined) {
      const message = `No question in this conversation has the id "${questionId}"`;
      const next = { action: "show-conversation", conversationId: this.#conversationId } as const;
      return new ServiceError("QUESTION_UNKNOWN", message, { next });
    }
    const how = ended === undefined ? "is being answered" : `is over: ${ended.reason}, "${ended.action}"`;
    const message = `The question "${questionId}" ${how}; it can be answered once`;
    return new ServiceError("QUESTION_ENDED", message, ended === undefined ? {} : { details: ended });
  }
}

function unanswered(signal: AbortSignal, withdrawn: AbortSignal | undefined): QuestionEndReason {
  if (signal.aborted) return signal.reason === hostStops ? "interrupted" : "stopped";
  return withdrawn?.aborted === true ? "withdrawn" : "expired";
}

/** @throws {ServiceError} `ANSWER_INVALID`, which names the fields and never says what was given. */
function fittingContent({ fields }: Question, content: AnswerContent): AnswerContent {
  const problems = answerProblems(fields, content);
  if (problems.length === 0) return content;
  const said = problems.map(({ field, message }) => `"${field.slice(0, 100)}" ${message}`).join("; ");
  throw new ServiceError("ANSWER_INVALID", `The answer does not fit the question, which stays open: ${said}`, {
    details: { fields: problems },
  });
}

/** What keeps a question from being answered again. */
export function questionEndWrite(
  conversationId: string,
  questionId: QuestionId,
  end: QuestionEnd,
): { readonly kind: "set"; readonly key: string; readonly value: { readonly [key: string]: string } } {
  return { kind: "set", key: keys.question(conversationId, questionId), value: { ...end } };
}
