import {
  messageSchema,
  type AuditedConversation,
  type AuditedStep,
  type AuditQuery,
  type AuditSummary,
  type ConversationId,
  type CostsQuery,
  type Message,
  type MessagesQuery,
  type PageQuery,
  type Step,
  type StepRequest,
  type ToolOutput,
} from "@incipit/schema";
import type { ConversationRecordsService, CostsPage, Page } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown, withServiceErrors } from "../failures/service-errors.ts";
import { readRequest } from "../records/wire-records.ts";
import { readPage } from "../store/read-page.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";
import { withTurnEnds } from "../turn/turn-ends.ts";
import { readToolOutput } from "../tools/tool-output.ts";
import { auditConversation, auditConversations, listSteps } from "./audit-conversations.ts";
import { readCosts } from "./read-costs.ts";

export class ConversationRecords implements ConversationRecordsService {
  readonly #context: OrchestratorContext;

  constructor(context: OrchestratorContext) {
    this.#context = context;
  }

  async messages(id: ConversationId, { order, ...page }: MessagesQuery): Promise<Page<Message>> {
    await this.#assertStored(id);
    const query = { ...page, isReverse: order === "newest" };
    const { storage } = this.#context;
    return readPage(keys.messages(id), query, async (range) =>
      withTurnEnds(storage, id, await storage.list(range, messageSchema)),
    );
  }

  async toolOutput(id: ConversationId, toolCallId: string): Promise<ToolOutput> {
    await this.#assertStored(id);
    return withServiceErrors(() => readToolOutput(this.#context.storage, id, toolCallId));
  }

  async steps(id: ConversationId, page: PageQuery): Promise<Page<Step>> {
    await this.#assertStored(id);
    return readPage(keys.steps(id), page, (range) => listSteps(this.#context.storage, range));
  }

  async stepRequest(id: ConversationId, stepId: string): Promise<StepRequest> {
    await this.#assertStored(id);
    return withServiceErrors(() => readRequest(this.#context.storage, id, stepId));
  }

  async audit(
    id: ConversationId,
    page: PageQuery,
  ): Promise<Page<AuditedStep> & { readonly summary: AuditSummary }> {
    await this.#assertStored(id);
    return auditConversation(this.#context, id, page);
  }

  audits(query: AuditQuery): Promise<Page<AuditedConversation> & { readonly totals: AuditSummary }> {
    return auditConversations(this.#context, query);
  }

  costs(query: CostsQuery): Promise<CostsPage> {
    return readCosts(this.#context, query);
  }

  /** @throws {ServiceError} `CONVERSATION_UNKNOWN`, `STORED_DATA_DAMAGED`. */
  async #assertStored(id: ConversationId): Promise<void> {
    const { storage } = this.#context;
    const record = await withServiceErrors(() => storage.get(keys.conversation(id), storedConversationSchema));
    if (record === undefined) throw conversationUnknown(id);
  }
}
