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
  /** Whom it asks; `null`: there is no such provider. */
  readonly asked: AskedModel | null;
  readonly status: TurnStatus;
  readonly error: Failure | null;
}

export interface AskedModel {
  /** The name before the slash, and the one behind it. */
  readonly provider: string;
  readonly model: string;
  /** The vendor's well-known name, see `ModelProvider.vendor`; `null`: not known. */
  readonly vendor: string | null;
}

export interface ModelCallWork extends Timed, AskedModel {
  readonly type: "model-call";
  /** `null`: a call without a conversation. */
  readonly conversationId: string | null;
  /** What it belongs to: a turn, or a compaction that was asked for. */
  readonly turnId: string | null;
  readonly callId: string;
  readonly purpose: "turn" | "compaction" | "stateless";
  /** Where the last request went, without its path; `null`: none left the host. */
  readonly serverUrl: string | null;
  /** When the model said something first; `null`: never. */
  readonly firstEventAtMs: number | null;
  readonly attempts: number;
  readonly settings: ModelSettings;
  /** Empty: it was not over, or the vendor does not say. */
  readonly response: VendorResponse;
  readonly usage: Usage | null;
  readonly finishReason: FinishReason | null;
  readonly error: Failure | null;
  /** What was told and said; only where the operator allowed it (`observe_content`). */
  readonly content?: {
    readonly systemPrompt: readonly string[];
    readonly messages: readonly ModelMessage[];
    readonly tools: readonly ToolDefinition[];
    readonly reply: readonly MessagePart[];
  };
}

/** One request for vectors, see `ModelProvider.embed`. What was turned into them is never told. */
export interface EmbeddingWork extends Timed, AskedModel {
  readonly type: "embeddings";
  readonly callId: string;
  /** Where the last request went, without its path; `null`: none left the host. */
  readonly serverUrl: string | null;
  readonly attempts: number;
  /** As they were asked for; `null`: the vendor's own choice. */
  readonly dimensions: number | null;
  readonly encodingFormat: "float" | "base64" | null;
  /** `null`: it was not over, or the vendor does not say. */
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
  /** As the model was told it; `""`: nothing. */
  readonly description: string;
  /** Who called it. */
  readonly calledBy: AskedModel;
  readonly error: Failure | null;
  /** Only where the operator allowed it. */
  readonly content?: { readonly input: string; readonly output: string };
}

/** Something that the host did, told once when it is over. What is cut off with the host is not told. */
export type Work = TurnWork | ModelCallWork | EmbeddingWork | ToolCallWork;

/** Is told of what the host does, after it was stored. Whatever it does with that, turns go on: it is not waited for. */
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
