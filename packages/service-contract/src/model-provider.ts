import { definePoint, type ExtensionPoint, type WireObserver } from "@incipit/kernel";
import type {
  FinishReason,
  ModelFacts,
  ModelMessage,
  ModelSettings,
  PartMetadata,
  ToolDefinition,
  Usage,
} from "@incipit/schema";

export interface ModelRequest {
  /** The name behind the slash. */
  readonly model: string;
  readonly conversationId: string;
  /**
   * System texts in order; none: no system field at all. Never holds an empty text. Where the vendor takes one only,
   * they are joined with `"\n\n"`.
   */
  readonly systemPrompt: readonly string[];
  /**
   * Each tool call has one result, in the message behind it; ids are there once. The input of a call is what the model wrote:
   * where the vendor takes parsed arguments, one that is no JSON object is sent as `{}`.
   */
  readonly messages: readonly ModelMessage[];
  /** Sorted by name. */
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
  readonly signal: AbortSignal;
  /** To be handed to `host.net.fetch` of the call, so that the record is made where the bytes leave. */
  readonly observe: WireObserver;
}

export interface ModelFailure {
  /**
   * `UNREACHABLE`, `UNAUTHORIZED`, `NO_CREDIT` (the account, not the rate), `RATE_LIMITED`, `OVERLOADED`, `VENDOR_FAILED` (it says that it failed by itself), `CONTEXT_TOO_LONG` (the
   * request is longer than the model's window), `BAD_REQUEST`, `BAD_RESPONSE`, `REPLY_TOO_LARGE`, `CUT_OFF`, `NOT_CONFIGURED`,
   * `FAILED`.
   */
  readonly code: string;
  /** What happened and what to do; holds no secret. */
  readonly message: string;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
}

/** The last event of a stream is always `finish` or `failure`, also on abort; a stream does not throw. */
export type ModelEvent =
  | { readonly type: "text-start" | "reasoning-start"; readonly partId: string }
  | {
      readonly type: "text-end" | "reasoning-end";
      readonly partId: string;
      /** What the vendor wants back with the part; an empty part is kept when it has any. */
      readonly metadata?: PartMetadata;
    }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly partId: string; readonly text: string }
  | { readonly type: "tool-call-start"; readonly toolCallId: string; readonly name: string }
  | {
      readonly type: "tool-call";
      readonly toolCallId: string;
      readonly name: string;
      /** JSON text as the model wrote it. */ readonly input: string;
      readonly metadata?: PartMetadata;
    }
  | { readonly type: "finish"; readonly usage: Usage; readonly finishReason: FinishReason }
  | { readonly type: "failure"; readonly error: ModelFailure };

export interface ModelProvider {
  /** The name before the slash in `model`. */
  readonly id: string;
  /** Names to offer; any other name is taken too, unless `isClosedList`. */
  readonly models: readonly string[];
  readonly isClosedList?: boolean;
  /** What is missing to use it, such as a key, and what to do; `null`: ready. */
  readonly problem: string | null;
  /**
   * Tokens that a model takes in one call, its reply included; `undefined`: not known, and conversations with it are not
   * compacted by themselves; no answer within 5 s counts as that. `Infinity`: as many as come.
   */
  contextWindow?(model: string): Promise<number | undefined>;
  /** Window, limits, prices and what it takes in, from memory; absent or `undefined`: not known. */
  facts?(model: string): Promise<ModelFacts | undefined>;
  /**
   * Whether a model takes files of a media type, such as `image/png`. Of those that it does not take, it gets a text that
   * names them. Absent: none of them.
   */
  acceptsFile?(options: { readonly model: string; readonly mediaType: string }): boolean;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export const modelProvidersPoint: ExtensionPoint<ModelProvider> = definePoint<ModelProvider>("model-providers@1", {
  key: "id",
  members: {
    id: "string",
    models: "list",
    isClosedList: "boolean?",
    problem: "any",
    contextWindow: "function?",
    facts: "function?",
    acceptsFile: "function?",
    stream: "function",
  },
});
