import { defineHandle, KernelError, type ServiceHandle, type ServiceReference } from "@incipit/kernel";
import {
  ServiceError,
  type AuditedConversation,
  type AuditedStep,
  type AuditQuery,
  type AuditSummary,
  type ApprovalDecision,
  type ApprovalId,
  type ApprovalsService,
  type Conversation,
  type ConversationId,
  type ConversationsService,
  type ConversationTools,
  type CreateConversationRequest,
  type CreateTurnRequest,
  type ExportLine,
  type ForkConversationRequest,
  type FollowOptions,
  type ListQuery,
  type Message,
  type Page,
  type PageQuery,
  type PromptDrift,
  type QueuedTurn,
  type RebuildOutcome,
  type RebuildPromptRequest,
  type SearchQuery,
  type SearchResult,
  type SendOptions,
  type Step,
  type StepRequest,
  type ToolOutput,
  type TurnEvent,
  type TurnId,
  type UpdateConversationRequest,
} from "@incipit/service-contract";
import type { Conversations } from "./service.ts";

/** What a generation still works on: its successor leaves that to it, and takes over the rest. */
export interface ConversationHandOver extends ConversationsService, ApprovalsService {
  /** Something runs or waits to run there. Once it is `false` in a generation that drains, it stays so. */
  holds(id: ConversationId): boolean;
}

/** For the next generation alone. */
export const conversationHandOverHandle: ServiceHandle<ConversationHandOver> =
  defineHandle("conversation-hand-over@1");

/**
 * The conversations of two generations as one: while the one before drains, those that it holds are its own, so that at
 * no time two work on one conversation.
 */
export class HandedOverConversations implements ConversationsService, ApprovalsService {
  readonly defaultModel: string;
  readonly defaultCwd: string;
  readonly #own: Conversations;
  readonly #before: ServiceReference<ConversationHandOver>;
  /** Resolves when the one before is over, and what it left is taken up. */
  readonly #alone: Promise<void>;

  constructor(
    own: Conversations,
    before: ServiceReference<ConversationHandOver>,
    onRecoverError: (error: unknown) => void,
  ) {
    this.#own = own;
    this.#before = before;
    this.defaultModel = own.defaultModel;
    this.defaultCwd = own.defaultCwd;
    this.#alone =
      before.current === undefined
        ? Promise.resolve()
        : new Promise((resolve) => {
            before.onChange(() => {
              if (before.current === undefined) resolve(own.recover({ isStart: false }).catch(onRecoverError));
            });
          });
  }

  create(request: CreateConversationRequest): Promise<Conversation> {
    return this.#own.create(request);
  }

  get(id: ConversationId): Promise<Conversation> {
    return this.#at(id, (service) => service.get(id));
  }

  update(id: ConversationId, request: UpdateConversationRequest): Promise<Conversation> {
    return this.#at(id, (service) => service.update(id, request));
  }

  delete(id: ConversationId): Promise<void> {
    return this.#at(id, (service) => service.delete(id));
  }

  async list(query: ListQuery): Promise<Page<Conversation>> {
    const found = await this.#own.list(query);
    if (this.#before.current === undefined) return found;
    const items = await Promise.all(found.items.map((item) => this.get(item.id).catch(() => item)));
    return { ...found, items };
  }

  async search(query: SearchQuery): Promise<Page<SearchResult>> {
    const found = await this.#own.search(query);
    if (this.#before.current === undefined) return found;
    const items = await Promise.all(
      found.items.map(async ({ conversation, matches }) => ({
        conversation: await this.get(conversation.id).catch(() => conversation),
        matches,
      })),
    );
    return { ...found, items };
  }

  fork(id: ConversationId, request: ForkConversationRequest): Promise<Conversation> {
    return this.#at(id, (service) => service.fork(id, request));
  }

  async *exportLines(id: ConversationId): AsyncGenerator<ExportLine> {
    const source = await this.#at(id, async (service) => service);
    yield* source.exportLines(id);
  }

  importLines(lines: AsyncIterable<ExportLine>): Promise<Conversation> {
    return this.#own.importLines(lines);
  }

  messages(id: ConversationId, page: PageQuery): Promise<Page<Message>> {
    return this.#at(id, (service) => service.messages(id, page));
  }

  send(
    id: ConversationId,
    request: CreateTurnRequest,
    options?: SendOptions,
  ): Promise<{ readonly turnId: TurnId; readonly afterSeq: number }> {
    return this.#at(id, (service) => service.send(id, request, options));
  }

  async *follow(id: ConversationId, options: FollowOptions): AsyncGenerator<TurnEvent> {
    let afterSeq = options.afterSeq ?? (await this.get(id)).lastSeq;
    for (let hasFollowed = false; ; hasFollowed = true) {
      const source = await this.#at(id, async (service) => service);
      try {
        for await (const event of source.follow(id, { ...options, afterSeq })) {
          afterSeq = event.seq;
          yield event;
          if (event.turnId === options.turnId && event.type === "turn-end") return;
        }
      } catch (error) {
        if (hasFollowed && isUnknown(error)) return; // It was deleted meanwhile.
        if (!isGone(error)) throw error;
      }
      if (source === this.#own || options.signal?.aborted === true) return;
    }
  }

  stop(id: ConversationId): Promise<boolean> {
    return this.#at(id, (service) => service.stop(id));
  }

  rebuild(
    id: ConversationId,
    request: RebuildPromptRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<RebuildOutcome> {
    return this.#at(id, (service) => service.rebuild(id, request, options));
  }

  drift(id: ConversationId, options?: { readonly signal?: AbortSignal }): Promise<PromptDrift | null> {
    return this.#at(id, (service) => service.drift(id, options));
  }

  answerApproval(
    id: ConversationId,
    approvalId: ApprovalId,
    options: { readonly decision: ApprovalDecision },
  ): Promise<void> {
    return this.#at(id, (service) => service.answerApproval(id, approvalId, options));
  }

  queue(id: ConversationId): Promise<readonly QueuedTurn[]> {
    return this.#at(id, (service) => service.queue(id));
  }

  removeQueued(id: ConversationId, turnId: TurnId): Promise<void> {
    return this.#at(id, (service) => service.removeQueued(id, turnId));
  }

  resume(id: ConversationId): Promise<number> {
    return this.#at(id, (service) => service.resume(id));
  }

  compact(
    id: ConversationId,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly conversation: Conversation; readonly summary: Message }> {
    return this.#at(id, (service) => service.compact(id, options));
  }

  tools(id: ConversationId, options: { readonly signal: AbortSignal }): Promise<ConversationTools> {
    return this.#at(id, (service) => service.tools(id, options));
  }

  toolOutput(id: ConversationId, toolCallId: string): Promise<ToolOutput> {
    return this.#at(id, (service) => service.toolOutput(id, toolCallId));
  }

  steps(id: ConversationId, page: PageQuery): Promise<Page<Step>> {
    return this.#at(id, (service) => service.steps(id, page));
  }

  stepRequest(id: ConversationId, stepId: string): Promise<StepRequest> {
    return this.#at(id, (service) => service.stepRequest(id, stepId));
  }

  audit(id: ConversationId, page: PageQuery): Promise<Page<AuditedStep> & { readonly summary: AuditSummary }> {
    return this.#at(id, (service) => service.audit(id, page));
  }

  audits(query: AuditQuery): Promise<Page<AuditedConversation> & { readonly totals: AuditSummary }> {
    return this.#own.audits(query);
  }

  /** Looks and calls in one step: in between, the one before could let go, and somebody else take up. */
  #at<Result>(
    id: ConversationId,
    call: (service: ConversationsService & ApprovalsService) => Promise<Result>,
  ): Promise<Result> {
    const before = this.#before.current;
    if (before !== undefined) {
      try {
        return call(before.holds(id) ? before : this.#own);
      } catch (error) {
        if (!isGone(error)) throw error; // It was cut off: what it leaves is being stored.
      }
    }
    return this.#alone.then(() => call(this.#own));
  }
}

function isUnknown(error: unknown): boolean {
  return ServiceError.is(error) && error.code === "CONVERSATION_UNKNOWN";
}

function isGone(error: unknown): boolean {
  return KernelError.is(error) && error.code === "GENERATION_GONE";
}
