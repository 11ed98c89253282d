import type { Clock } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { nextEvent } from "../waits/next-event.ts";

interface OpenQuestion<Asked, Answer> {
  readonly asked: Asked;
  readonly answered: PromiseWithResolvers<Answer>;
  /** An answer that is being stored; gives it once it is, `undefined` when it could not be. */
  answering: Promise<Answer | undefined> | undefined;
  /** Whoever has seen it finds it again, also behind a crash. */
  isStored: boolean;
}

/** How a question is asked, and ends where nobody answers it. */
interface QuestionLife<Answer> {
  /** Stores the question. */
  readonly begin: () => Promise<unknown>;
  /** Called once it is stored, and can be answered by who has seen it. */
  readonly onBegun?: () => void;
  /** Stores that its time is over, or its call; gives what that comes to. */
  readonly endUnanswered: () => Promise<Answer>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a question ended, as it is stored. */
export interface EndedQuestion {
  /** What was said, in a word. */
  readonly outcome: string;
  readonly details: { readonly reason: string };
}

interface StoredQuestionsOptions {
  readonly conversationId: string;
  readonly clock: Clock;
  readonly kind: keyof typeof codes;
  /** `undefined`: no such question has ended here. */
  readonly ended: (id: string) => Promise<EndedQuestion | undefined>;
}

const codes = {
  approval: { unknown: "APPROVAL_UNKNOWN", ended: "APPROVAL_ENDED" },
  question: { unknown: "QUESTION_UNKNOWN", ended: "QUESTION_ENDED" },
} as const;

/**
 * What waits for a person in one conversation. Each question is stored before it counts as asked, and ends once: by an answer, by
 * its deadline, or with its call. An answer counts once it is stored; one that could not be leaves the question open.
 */
export class StoredQuestions<Asked, Answer> {
  readonly #options: StoredQuestionsOptions;
  /** In the order in which they were asked. */
  readonly #open = new Map<string, OpenQuestion<Asked, Answer>>();

  constructor(options: StoredQuestionsOptions) {
    this.#options = options;
  }

  /** Those that wait. */
  get open(): readonly Asked[] {
    return [...this.#open.values()].map(({ asked }) => asked);
  }

  /** Those that wait, and are stored. */
  get stored(): readonly Asked[] {
    return [...this.#open.values()].flatMap(({ asked, isStored }) => (isStored ? [asked] : []));
  }

  /** Waits for the end. Rejects when nothing can be stored. */
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

  /**
   * @param toAnswer Says what the answer is, and stores it with what belongs to it.
   * @throws {ServiceError} where it does not wait, or is being answered; and what `toAnswer` throws.
   */
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
      () => (open.answering = undefined), // Whoever answered is told, and may try again.
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
