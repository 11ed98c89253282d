import type { ModelMessage, ModelSettings, ToolDefinition } from "@incipit/schema";

/**
 * `openai`: OpenAI itself, whose models differ in the supported settings. `compatible`: other endpoints, which get
 * settings verbatim.
 */
export type ChatDialect = "openai" | "compatible";

export interface ChatRequest {
  readonly model: string;
  readonly conversationId: string;
  readonly systemPrompt: readonly string[];
  /** Must not change afterwards; the next request may use a new list that begins with the same messages. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
}
