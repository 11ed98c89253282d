import type { ModelMessage, ModelSettings, ToolDefinition } from "@incipit/schema";

/**
 * Who the request is for. `openai`: OpenAI itself, whose models differ in what they take. `compatible`: whoever speaks its
 * protocol, and is told what was asked for as it was asked.
 */
export type ChatDialect = "openai" | "compatible";

/** What is asked of a model, in the host's words. */
export interface ChatRequest {
  /** As the vendor names it. */
  readonly model: string;
  readonly conversationId: string;
  readonly systemPrompt: readonly string[];
  /** A list that is not changed afterwards: the next request may have another one, that begins with the same messages. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
}
