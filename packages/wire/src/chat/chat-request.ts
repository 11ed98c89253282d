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

/**
 * Restrictions of an endpoint. Each depends only on preceding messages, so that a request stays a prefix of the next.
 */
export interface ChatRules {
  /** Accepts only one leading system message. */
  readonly isOneSystem?: boolean | undefined;
  /** Requires alternating user messages and replies, the user first: fillers separate messages of the same role. */
  readonly alternates?: boolean | undefined;
  /** Requires a reply between a call's result and a user message, as after a stopped turn. */
  readonly wantsReplyToResults?: boolean | undefined;
  /** Rejects empty messages and texts. Omits replies with only reasoning. */
  readonly refusesEmpty?: boolean | undefined;
  /** Content of a reply with only calls. Defaults to `null`. */
  readonly contentOfCalls?: "" | undefined;
  /** `reasoning_content` of a reply without any. By default the field is omitted. */
  readonly missingReasoning?: "" | " " | undefined;
  /** Rejects `reasoning_content` in messages. */
  readonly refusesReasoning?: boolean | undefined;
  /** Rejects `stream_options`, and always reports usage. */
  readonly refusesStreamOptions?: boolean | undefined;
  /** Defaults to `seed`. */
  readonly seedField?: "seed" | "random_seed" | undefined;
  /** Supports only string values of `tool_choice`: a choice of one tool sends only that tool, and `required`. */
  readonly isToolChoiceWord?: boolean | undefined;
  /** Joins several texts of a user message, because lists are not supported. */
  readonly joinsTexts?: boolean | undefined;
  readonly settings?: "deepseek" | undefined;
  /** Caches marked content: the last system message, and the end of the request. */
  readonly marksCache?: boolean | undefined;
}

export const noAnswer = "(no answer)";
/** Filler before a reply without a user message. */
export const goOn = "(continue)";
export const noText = "(empty)";
