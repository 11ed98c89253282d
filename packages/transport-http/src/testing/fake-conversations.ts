import {
  conversationIdSchema,
  nothingSpent,
  turnEventSchema,
  turnIdSchema,
  type AllowedCalls,
  type Conversation,
  type ConversationId,
  type ConversationTools,
  type ExportLine,
  type Spent,
  type TurnEvent,
  type TurnId,
} from "@incipit/schema";
import {
  ServiceError,
  type ApprovalsService,
  type ConversationRecordsService,
  type ConversationsService,
  type FollowOptions,
  type Page,
} from "@incipit/service-contract";

export const turnId: TurnId = turnIdSchema.parse("01a1fcd7-5c9a-7556-afda-76769002c75d");
export const unknownId = "01a1fcd7-5c9a-7556-afda-76769002c75e";

export class FakeConversations implements ConversationsService, ConversationRecordsService, ApprovalsService {
  readonly id: ConversationId = conversationIdSchema.parse("01a1fcd7-5c9a-7556-afda-76769002c75c");
  readonly calls: (readonly unknown[])[] = [];
  compactWith: (signal: AbortSignal | undefined) => Promise<never> = async () => {
    throw new ServiceError("NOTHING_TO_COMPACT", "There is nothing to compact");
  };
  readonly #events: TurnEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #followers = 0;

  get followers(): number {
    return this.#followers;
  }

  emit(event: { readonly type: TurnEvent["type"] } & Readonly<Record<string, unknown>>): TurnEvent {
    const seq = this.#events.length + 1;
    const whole = turnEventSchema.parse({ seq, turnId, at: "2026-01-01T00:00:00.000Z", ...event });
    this.#events.push(whole);
    this.#wake();
    return whole;
  }

  async untilFollowers(count: number): Promise<void> {
    while (this.#followers !== count) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async create(): Promise<Conversation> {
    return this.#conversation();
  }

  async get(id: ConversationId): Promise<Conversation> {
    if (id !== this.id) throw new ServiceError("CONVERSATION_UNKNOWN", `No conversation has the id "${id}"`);
    return this.#conversation();
  }

  async fork(): Promise<Conversation> {
    return this.#conversation();
  }

  async update(_: ConversationId, request: unknown): Promise<Conversation> {
    this.calls.push(["update", request]);
    return this.#conversation();
  }

  exportWith: () => AsyncIterable<ExportLine> = () => {
    throw new ServiceError("CONVERSATION_BUSY", "Something runs in it");
  };

  exportLines(): AsyncIterable<ExportLine> {
    return this.exportWith();
  }

  async importLines(): Promise<Conversation> {
    return this.#conversation();
  }

  async delete(id: ConversationId): Promise<void> {
    await this.get(id);
    this.calls.push(["delete", id]);
  }

  async list(page: unknown): Promise<Page<Conversation>> {
    this.calls.push(["list", page]);
    return { items: [this.#conversation()], nextCursor: "next" };
  }

  async search(): Promise<Page<never>> {
    return { items: [], nextCursor: "next" };
  }

  async messages(): Promise<Page<never>> {
    return { items: [], nextCursor: "next" };
  }

  async tools(): Promise<ConversationTools> {
    const next = { added: [], removed: [], changed: [], problems: [] };
    return { tools: [], leftOut: [], deferred: [], sha256: null, next };
  }

  async leftOutTools(): Promise<readonly never[]> {
    return [];
  }

  async toolOutput(_: ConversationId, toolCallId: string): Promise<never> {
    throw new ServiceError("TOOL_OUTPUT_UNKNOWN", `There is no output of "${toolCallId}"`);
  }

  async tasks(): Promise<Page<never> & { readonly spent: Spent }> {
    return { items: [], spent: nothingSpent, nextCursor: "next" };
  }

  async steps(): Promise<Page<never>> {
    return { items: [], nextCursor: "next" };
  }

  async audit(): Promise<never> {
    throw new ServiceError("INTERNAL", "The test asks for no audit");
  }

  async rebuild(): Promise<never> {
    throw new ServiceError("INTERNAL", "The test rebuilds no prompt");
  }

  async drift(): Promise<never> {
    throw new ServiceError("INTERNAL", "The test asks for no drift");
  }

  async audits(): Promise<never> {
    throw new ServiceError("INTERNAL", "The test asks for no audit");
  }

  async costs(): Promise<never> {
    throw new ServiceError("INTERNAL", "The test asks for no costs");
  }

  async stepRequest(_: ConversationId, stepId: string): Promise<never> {
    throw new ServiceError("STEP_UNKNOWN", `No step has the id "${stepId}"`);
  }

  async send(_: ConversationId, request: unknown): Promise<{ readonly turnId: TurnId; readonly afterSeq: number }> {
    this.calls.push(["send", request]);
    const afterSeq = this.#events.length;
    this.emit({ type: "turn-start", input: "Hello" });
    return { turnId, afterSeq };
  }

  async *follow(
    id: ConversationId,
    { afterSeq = 0, turnId: only, signal }: FollowOptions,
  ): AsyncGenerator<TurnEvent> {
    this.calls.push(["follow", id, afterSeq]);
    const wake = (): void => this.#wake();
    signal?.addEventListener("abort", wake);
    this.#count(1);
    try {
      let next = afterSeq;
      while (signal?.aborted !== true) {
        const event = this.#events[next];
        if (event === undefined) {
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
          continue;
        }
        next += 1;
        yield event;
        if (only !== undefined && event.type === "turn-end") return;
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      this.#count(-1);
    }
  }

  async stop(): Promise<boolean> {
    return false;
  }

  async queue(): Promise<readonly never[]> {
    return [];
  }

  async removeQueued(_: ConversationId, queued: string): Promise<never> {
    throw new ServiceError("TURN_NOT_QUEUED", `No turn has the id "${queued}"`);
  }

  async resume(): Promise<number> {
    return 2;
  }

  async answerApproval(_: ConversationId, approvalId: string, answer: unknown): Promise<void> {
    if (approvalId === turnId) {
      this.calls.push(["answerApproval", approvalId, answer]);
      return;
    }
    throw new ServiceError("APPROVAL_UNKNOWN", `No approval has the id "${approvalId}"`);
  }

  async sendAllowing(
    _: ConversationId,
    __: unknown,
    { allow }: { readonly allow: readonly string[] },
  ): Promise<never> {
    throw new ServiceError("INVALID_REQUEST", `Nothing is sent here that allows ${allow.join(", ")}`);
  }

  async allowedCalls(): Promise<readonly AllowedCalls[]> {
    return [];
  }

  async takeBackAllowed(_: ConversationId, approvalId: string): Promise<never> {
    throw new ServiceError("APPROVAL_UNKNOWN", `Nothing that is allowed has the id "${approvalId}"`);
  }

  async answerQuestion(_: ConversationId, questionId: string, answer: unknown): Promise<void> {
    if (questionId !== turnId) throw new ServiceError("QUESTION_UNKNOWN", `No question has the id "${questionId}"`);
    this.calls.push(["answerQuestion", questionId, answer]);
  }

  compact(_: ConversationId, { signal }: { readonly signal?: AbortSignal } = {}): Promise<never> {
    return this.compactWith(signal);
  }

  #conversation(): Conversation {
    return {
      id: this.id,
      cwd: "/",
      model: "offline/echo",
      profile: null,
      title: null,
      forkedFrom: null,
      parent: null,
      importedAt: null,
      allowedTools: null,
      archived: false,
      epoch: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      lastSeq: this.#events.length,
      status: "idle",
      approvals: [],
      questions: [],
    };
  }

  #count(change: 1 | -1): void {
    this.#followers += change;
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
