import type { Clock } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { nextEvent } from "../waits/next-event.ts";

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
    const answers: AsyncIterator<Answer> = {
      next: async () => ({ done: false, value: await open.answered.promise }),
    };
    const next = await nextEvent(answers, { timeoutMs, clock: this.#options.clock, signal });
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
