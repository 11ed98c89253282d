import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  AuditedConversation,
  AuditedStep,
  AuditQuery,
  AuditSummary,
  ConversationId,
  Cost,
  CostsQuery,
  Message,
  MessagesQuery,
  PageQuery,
  SpendLimitsState,
  Step,
  StepRequest,
  ToolOutput,
} from "@incipit/schema";
import type { Page } from "./conversations.ts";

export interface CostsPage extends Page<Cost> {
  readonly limits: SpendLimitsState;
}

/** Read-only access to stored conversation data. Every method rejects with a {@link ServiceError}. */
export interface ConversationRecordsService {
  /** Lists the messages of all epochs. */
  messages(id: ConversationId, query: MessagesQuery): Promise<Page<Message>>;
  /**
   * Returns the full output of a tool call that was truncated for the model.
   * @throws {ServiceError} `TOOL_OUTPUT_UNKNOWN` when the output was not truncated.
   */
  toolOutput(id: ConversationId, toolCallId: string): Promise<ToolOutput>;
  steps(id: ConversationId, page: PageQuery): Promise<Page<Step>>;
  stepRequest(id: ConversationId, stepId: string): Promise<StepRequest>;
  /** Lists the conversation's steps as a vendor's prefix cache sees them, oldest first, with totals. */
  audit(id: ConversationId, page: PageQuery): Promise<Page<AuditedStep> & { readonly summary: AuditSummary }>;
  /**
   * Lists matching conversations, newest first, with totals per conversation; `totals` covers the page. A call
   * scans a bounded number of records, so a page may have fewer than `limit` entries, or none, and still have a
   * next page.
   */
  audits(query: AuditQuery): Promise<Page<AuditedConversation> & { readonly totals: AuditSummary }>;
  /**
   * Lists costs by day, model and conversation; calls without a conversation come last. A call scans a bounded
   * number of records, so a page may be empty and still have a next page. Add up entries of the same day from two
   * pages.
   */
  costs(query: CostsQuery): Promise<CostsPage>;
}

export const conversationRecordsHandle: ServiceHandle<ConversationRecordsService> =
  defineHandle<ConversationRecordsService>("conversation-records@1", {
    messages: "function",
    toolOutput: "function",
    steps: "function",
    stepRequest: "function",
    audit: "function",
    audits: "function",
    costs: "function",
  });
