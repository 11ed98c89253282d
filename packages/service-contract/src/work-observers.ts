import { definePoint, type ExtensionPoint } from "@incipit/kernel";
import type {
  Failure,
  FinishReason,
  MessagePart,
  ModelMessage,
  ModelSettings,
  ToolDefinition,
  TurnStatus,
  Usage,
  VendorResponse,
} from "@incipit/schema";

interface Timed {
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface TurnWork extends Timed {
  readonly type: "turn";
  readonly conversationId: string;
  readonly turnId: string;
  readonly profile: string | null;
  /** `null` if the provider is unknown. */
  readonly asked: AskedModel | null;
  readonly status: TurnStatus;
  readonly error: Failure | null;
}

export interface AskedModel {
  /** Provider and model name, before and after the slash. */
  readonly provider: string;
  readonly model: string;
  /** See `ModelProvider.vendor`; `null` if unknown. */
  readonly vendor: string | null;
}

export interface ModelCallWork extends Timed, AskedModel {
  readonly type: "model-call";
  /** `null` for a call without a conversation. */
  readonly conversationId: string | null;
  /** Turn or explicit compaction of the call. */
  readonly turnId: string | null;
  readonly callId: string;
  readonly purpose: "turn" | "compaction" | "stateless";
  /** URL of the last request without its path; `null` if none was sent. */
  readonly serverUrl: string | null;
  /** Time of the first model output; `null` if none. */
  readonly firstEventAtMs: number | null;
  readonly attempts: number;
  readonly settings: ModelSettings;
  /** Empty if the call did not complete or the vendor does not report it. */
  readonly response: VendorResponse;
  readonly usage: Usage | null;
  readonly finishReason: FinishReason | null;
  readonly error: Failure | null;
  /** Prompt and reply; only if the operator enabled `observe_content`. */
  readonly content?: {
    readonly systemPrompt: readonly string[];
    readonly messages: readonly ModelMessage[];
    readonly tools: readonly ToolDefinition[];
    readonly reply: readonly MessagePart[];
  };
}

/** An embedding request, see `ModelProvider.embed`. The input is never reported. */
export interface EmbeddingWork extends Timed, AskedModel {
  readonly type: "embeddings";
  readonly callId: string;
  /** URL of the last request without its path; `null` if none was sent. */
  readonly serverUrl: string | null;
  readonly attempts: number;
  /** As requested; `null`: the vendor's default. */
  readonly dimensions: number | null;
  readonly encodingFormat: "float" | "base64" | null;
  /** `null` if the call did not complete or the vendor does not report it. */
  readonly responseModel: string | null;
  readonly inputTokens: number | null;
  readonly error: Failure | null;
}

export interface ToolCallWork extends Timed {
  readonly type: "tool-call";
  readonly conversationId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  readonly name: string;
  /** Tool description as sent to the model, or `""`. */
  readonly description: string;
  /** Model that requested the call. */
  readonly calledBy: AskedModel;
  readonly error: Failure | null;
  /** Only if the operator enabled it. */
  readonly content?: { readonly input: string; readonly output: string };
}

/** A completed operation of the host, reported once. Operations interrupted by the host's exit are not reported. */
export type Work = TurnWork | ModelCallWork | EmbeddingWork | ToolCallWork;

/**
 * Receives completed operations after they are stored. The host does not wait for it, and its errors do not affect
 * turns.
 */
export interface WorkObserver {
  readonly id: string;
  observe(work: Work): void;
}

export const workObserversPoint: ExtensionPoint<WorkObserver> = definePoint<WorkObserver>("work-observers@1", {
  key: "id",
  members: {
    id: "string",
    observe: "function",
  },
});
