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

/** What is stored of conversations, read without a hand in what runs there. Every method rejects with a {@link ServiceError}. */
export interface CostsPage extends Page<Cost> {
  readonly limits: SpendLimitsState;
}

export interface ConversationRecordsService {
  /** The messages of all epochs. */
  messages(id: ConversationId, query: MessagesQuery): Promise<Page<Message>>;
  /** What a model got cut. Rejects with `TOOL_OUTPUT_UNKNOWN` for any other: it is whole in its message. */
  toolOutput(id: ConversationId, toolCallId: string): Promise<ToolOutput>;
  steps(id: ConversationId, page: PageQuery): Promise<Page<Step>>;
  stepRequest(id: ConversationId, stepId: string): Promise<StepRequest>;
  /** Its steps as a vendor's prefix cache sees them, oldest first, and the sum of all. */
  audit(id: ConversationId, page: PageQuery): Promise<Page<AuditedStep> & { readonly summary: AuditSummary }>;
  /**
   * The conversations that fit, newest first, with the sum of each; `totals` is the sum of the page. A call looks at a
   * bounded number of records: its page may have fewer than `limit`, or none, and others behind it.
   */
  audits(query: AuditQuery): Promise<Page<AuditedConversation> & { readonly totals: AuditSummary }>;
  /**
   * What model calls come to by day, model and conversation, those without a conversation last. A call looks at a bounded
   * number of records: its page may have none, and others behind it; what two pages have of one day is added up.
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
