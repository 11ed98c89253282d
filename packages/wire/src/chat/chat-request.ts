import type { MessagePart } from "@incipit/schema";

/**
 * Who the request is for. `openai`: OpenAI itself, whose models differ in what they take. `compatible`: whoever speaks its
 * protocol, and is told what was asked for as it was asked.
 */
export type ChatDialect = "openai" | "compatible";

export interface ChatMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly MessagePart[];
  /** PROVIDER/MODEL that said it; only of an assistant's message. */
  readonly model?: string;
}

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ChatSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string };
  readonly parallelToolCalls?: false;
  readonly responseFormat?: {
    readonly type: "json";
    readonly name?: string;
    readonly schema?: Readonly<Record<string, unknown>>;
    readonly isStrict?: boolean;
  };
}

/** What is asked of a model, in the host's words. */
export interface ChatRequest {
  /** As the vendor names it. */
  readonly model: string;
  readonly conversationId: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly settings?: ChatSettings;
}
