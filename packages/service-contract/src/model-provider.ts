import { definePoint, type ExtensionPoint, type WireRequest } from "@incipit/kernel";
import type {
  ApprovalDecision,
  EmbeddingInput,
  EmbeddingVector,
  ApprovalEndReason,
  FinishReason,
  JsonObject,
  ModelFacts,
  ModelMessage,
  ModelSettings,
  PartMetadata,
  ToldInstructions,
  ToolDefinition,
  Usage,
  VendorResponse,
} from "@incipit/schema";
import type { LookedUpTools } from "./looked-up-tools.ts";

/** What a request is for a receiver that keeps a session of its own. */
export interface SessionRequest {
  /** How it was told the system texts; `null`: there are none. */
  readonly instructions: ToldInstructions | null;
}

/**
 * Is told of a request before its first byte leaves, and is waited for; when it rejects, nothing is sent. May be handed to
 * `host.net.fetch` as it is. A request with `session` is what it adds to what was sent to its URL before, and not the whole.
 */
export type RequestObserver = (request: WireRequest, session?: SessionRequest) => void | Promise<void>;

/** Whether a call may run that a provider runs by itself. */
export interface PermissionQuestion {
  /** The one of a `tool-call-start` that was taken. */
  readonly toolCallId: string;
  /** The name that a person may allow for the whole conversation. */
  readonly name: string;
  /** JSON text of the arguments. */
  readonly input: string;
  /** What it would do, for the person who is asked. */
  readonly preview?: string;
  /** Why the answer can be for this call alone, whatever was allowed before. */
  readonly why?: string;
}

/** `deny` too when nobody answered in time, and when the turn was stopped: `reason` says so. */
export interface PermissionAnswer {
  readonly decision: ApprovalDecision;
  readonly reason: ApprovalEndReason;
}

export interface ModelRequest {
  /** The name behind the slash. */
  readonly model: string;
  readonly conversationId: string;
  /** The folder that the call is about; absolute. */
  readonly cwd: string;
  /** `turn`: a step of a conversation's turn. What the others say is part of no conversation that goes on. */
  readonly purpose: "turn" | "compaction" | "stateless";
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
  /** For a provider that says how it takes them (`takesLookedUpTools`); absent: none are looked up, or the results alone tell of them. */
  readonly lookedUp?: LookedUpTools;
  readonly settings?: ModelSettings;
  readonly signal: AbortSignal;
  /** To be handed to `host.net.fetch` of the call, so that the record is made where the bytes leave. */
  readonly observe: RequestObserver;
  /**
   * For a provider that runs tools by itself: asks a person, as is done for a tool of the host. Rejects when the question
   * cannot be stored. Absent: nobody is there to be asked, and nothing that needs it may run.
   */
  readonly askPermission?: (question: PermissionQuestion) => Promise<PermissionAnswer>;
}

export interface ModelFailure {
  /**
   * `UNREACHABLE`, `UNAUTHORIZED`, `NO_CREDIT` (the account, not the rate), `RATE_LIMITED`, `OVERLOADED`, `VENDOR_FAILED` (it says that it failed by itself), `CONTEXT_TOO_LONG` (the
   * request is longer than the model's window), `FILE_REFUSED` (a picture or another file of it), `BAD_REQUEST`, `BAD_RESPONSE`, `REPLY_TOO_LARGE`, `CUT_OFF`, `NOT_CONFIGURED`,
   * `MAX_STEPS` (a provider with steps of its own reached their limit), `FAILED`.
   */
  readonly code: string;
  /** What happened and what to do; holds no secret. */
  readonly message: string;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
}

/**
 * The last event of a stream is always `finish` or `failure`, also on abort; a stream does not throw. A delta without text shows
 * nothing, and says that the provider is still at work: without one, a stream that is silent is given up.
 */
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
  | {
      /** A call that the provider has run by itself, and what came of it: it is shown and kept, and nobody runs it again. */
      readonly type: "tool-run";
      readonly toolCallId: string;
      readonly name: string;
      /** JSON text. */ readonly input: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | {
      readonly type: "finish";
      readonly usage: Usage;
      readonly finishReason: FinishReason;
      /** Absent: the vendor does not say. */
      readonly response?: VendorResponse;
      /** Which of `settings.stopSequences` ended it. Absent: none, or the vendor does not say. */
      readonly stopSequence?: string;
      /** The vendor's own words for why it refused the reply or the rest of it. Absent: it gives none. */
      readonly explanation?: string;
    }
  | { readonly type: "failure"; readonly error: ModelFailure };

/** What is turned into vectors: https://platform.openai.com/docs/api-reference/embeddings/create */
export interface Embeddings {
  readonly input: EmbeddingInput;
  /** Absent: the vendor's own choice. */
  readonly encodingFormat?: "float" | "base64";
  /** How many numbers a vector has; absent: as many as the model gives. */
  readonly dimensions?: number;
  /** Fields of the vendor's own, as they are written. */
  readonly vendorFields?: JsonObject;
}

export interface EmbeddingRequest extends Embeddings {
  /** The name behind the slash. */
  readonly model: string;
  readonly signal: AbortSignal;
  readonly observe: RequestObserver;
}

export type EmbeddingReply =
  | {
      readonly kind: "embedded";
      /** One for each text, in their order. */
      readonly vectors: readonly EmbeddingVector[];
      /** `null`: the vendor does not say; so its own name of the model. */
      readonly inputTokens: number | null;
      readonly responseModel: string | null;
    }
  | { readonly kind: "failed"; readonly error: ModelFailure };

export interface ModelProvider {
  /** The name before the slash in `model`. */
  readonly id: string;
  /**
   * The vendor behind it, by its well-known name, such as `gcp.gemini`:
   * https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/registry/attributes/gen-ai.md. Absent: not known.
   */
  readonly vendor?: string;
  /** Names to offer; any other name is taken too, unless `isClosedList`. */
  readonly models: readonly string[];
  readonly isClosedList?: boolean;
  /** What is missing to use it, such as a key, and what to do; `null`: ready. */
  readonly problem: string | null;
  /** It has tools of its own, which it runs by itself (`tool-run`): it is given none. Absent: it is given the conversation's. */
  readonly runsOwnTools?: boolean;
  /** Digest of the program behind it, with `runsOwnTools`: what a person allowed for good counts for that program alone. */
  readonly identity?: string;
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
  /**
   * Whether a model takes files of a media type with the result of a tool. Of those that it does not take, it gets a text that
   * names them. Absent: none of them.
   */
  acceptsToolFile?(options: { readonly model: string; readonly mediaType: string }): boolean;
  /**
   * Whether a model is sent a field of a caller that no setting has a name for (`ModelSettings.vendorFields`), or that such a
   * request for vectors is (`Embeddings.vendorFields`). Absent: none is, and whoever asks for one is told so.
   */
  takesField?(options: {
    readonly model: string;
    readonly field: string;
    /** Absent: of a call of the model. */
    readonly isOfEmbeddings?: boolean;
  }): boolean;
  /**
   * Why a model's vendor refuses a tool, and with it each request that has the tool, as the end of a sentence; `undefined`: it
   * accepts it. The provider leaves such a tool out of requests; the conversation names it. Absent: none is refused.
   */
  refusesTool?(options: { readonly model: string; readonly tool: ToolDefinition }): string | undefined;
  /**
   * How a model gets tools that are looked up (`ModelRequest.lookedUp`): `in-requests`: each request names all of them.
   * `with-results`: a result brings what it has found. Absent or `undefined`: as texts, like any other result.
   */
  takesLookedUpTools?(options: { readonly model: string }): "in-requests" | "with-results" | undefined;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Turns texts into vectors, also on abort; does not reject. Absent: its API does not. */
  embed?(request: EmbeddingRequest): Promise<EmbeddingReply>;
}

export const modelProvidersPoint: ExtensionPoint<ModelProvider> = definePoint<ModelProvider>("model-providers@1", {
  key: "id",
  members: {
    id: "string",
    vendor: "string?",
    models: "list",
    isClosedList: "boolean?",
    problem: "any",
    runsOwnTools: "boolean?",
    identity: "string?",
    contextWindow: "function?",
    facts: "function?",
    acceptsFile: "function?",
    acceptsToolFile: "function?",
    takesField: "function?",
    refusesTool: "function?",
    takesLookedUpTools: "function?",
    stream: "function",
    embed: "function?",
  },
});
