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
import type { DeferredTools } from "./deferred-tools.ts";

/** Metadata of a request to a server that keeps session state. */
export interface SessionRequest {
  /** How the system messages were passed; `null` if there are none. */
  readonly instructions: ToldInstructions | null;
}

/**
 * Called, and awaited, before the first byte of a request is sent; a rejection prevents sending. May be passed to
 * `host.net.fetch` unchanged. With `session`, the request contains only additions to earlier requests to its URL.
 */
export type RequestObserver = (request: WireRequest, session?: SessionRequest) => void | Promise<void>;

/** Permission request for a tool that the provider runs. */
export interface PermissionQuestion {
  /** Id of an emitted `tool-call-start`. */
  readonly toolCallId: string;
  /** Name under which the user may allow it for the whole conversation. */
  readonly name: string;
  /** Arguments as JSON. */
  readonly input: string;
  /** Effect of the call, shown to the user. */
  readonly preview?: string;
  /** Why the answer applies only to this call, regardless of earlier permissions. */
  readonly why?: string;
}

/** `deny` also on timeout and when the turn was stopped; see `reason`. */
export interface PermissionAnswer {
  readonly decision: ApprovalDecision;
  readonly reason: ApprovalEndReason;
}

export interface ModelRequest {
  /** Model name after the slash. */
  readonly model: string;
  readonly conversationId: string;
  /** Absolute working folder. */
  readonly cwd: string;
  /** `turn`: a step of a conversation's turn. Output of other purposes does not become part of a conversation. */
  readonly purpose: "turn" | "compaction" | "stateless";
  /**
   * System messages in order, none of them empty; an empty list means no system field. Vendors that accept only one
   * get them joined with `"\n\n"`.
   */
  readonly systemPrompt: readonly string[];
  /**
   * Each tool call has exactly one result, in the following message; ids are unique. A call's input is the model's raw
   * text: for vendors that require parsed arguments, send `{}` unless it is a JSON object.
   */
  readonly messages: readonly ModelMessage[];
  /** Sorted by name. */
  readonly tools: readonly ToolDefinition[];
  /** Present for providers with `takesLookedUpTools`, if there are deferred tools. */
  readonly lookedUp?: DeferredTools;
  readonly settings?: ModelSettings;
  readonly signal: AbortSignal;
  /** Pass it to `host.net.fetch`, so that the request is recorded where it is sent. */
  readonly observe: RequestObserver;
  /**
   * For providers that run their own tools: asks the user for permission, as for tools of the host. Rejects if the
   * question cannot be stored. Absent if no user is available; do not run tools that need permission then.
   */
  readonly askPermission?: (question: PermissionQuestion) => Promise<PermissionAnswer>;
}

export interface ModelFailure {
  /**
   * `UNREACHABLE`, `UNAUTHORIZED`, `NO_CREDIT` (of the account; not a rate limit), `RATE_LIMITED`, `OVERLOADED`,
   * `VENDOR_FAILED` (an error reported by the vendor), `CONTEXT_TOO_LONG` (the request exceeds the model's context
   * window), `FILE_REFUSED` (an image or another file), `BAD_REQUEST`, `BAD_RESPONSE`, `REPLY_TOO_LARGE`,
   * `CUT_OFF`, `NOT_CONFIGURED`, `MAX_STEPS` (step limit of a provider that runs its own steps), `FAILED`.
   */
  readonly code: string;
  /** The problem and a remedy, without secrets. */
  readonly message: string;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
}

/**
 * A stream always ends with `finish` or `failure`, also on abort, and never throws. An empty delta is a keep-alive:
 * it displays nothing and resets the host's idle timeout.
 */
export type ModelEvent =
  | { readonly type: "text-start" | "reasoning-start"; readonly partId: string }
  | {
      readonly type: "text-end" | "reasoning-end";
      readonly partId: string;
      /** Vendor data to send back with the part. An empty part with metadata is kept. */
      readonly metadata?: PartMetadata;
    }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly partId: string; readonly text: string }
  | { readonly type: "tool-call-start"; readonly toolCallId: string; readonly name: string }
  | {
      readonly type: "tool-call";
      readonly toolCallId: string;
      readonly name: string;
      /** JSON as written by the model. */ readonly input: string;
      readonly metadata?: PartMetadata;
    }
  | {
      /** A completed tool call that the provider ran: displayed and stored, not executed by the host. */
      readonly type: "tool-run";
      readonly toolCallId: string;
      readonly name: string;
      /** JSON. */ readonly input: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | {
      readonly type: "finish";
      readonly usage: Usage;
      readonly finishReason: FinishReason;
      /** Absent if the vendor does not report it. */
      readonly response?: VendorResponse;
      /**
       * The entry of `settings.stopSequences` that ended the reply. Absent if none did or the vendor does not
       * report it.
       */
      readonly stopSequence?: string;
      /** The vendor's explanation of a refusal. */
      readonly explanation?: string;
    }
  | { readonly type: "failure"; readonly error: ModelFailure };

/** Embedding parameters: https://platform.openai.com/docs/api-reference/embeddings/create */
export interface Embeddings {
  readonly input: EmbeddingInput;
  /** Defaults to the vendor's choice. */
  readonly encodingFormat?: "float" | "base64";
  /** Vector length. Defaults to the model's. */
  readonly dimensions?: number;
  /** Vendor-specific fields, passed through. */
  readonly vendorFields?: JsonObject;
}

export interface EmbeddingRequest extends Embeddings {
  /** Model name after the slash. */
  readonly model: string;
  readonly signal: AbortSignal;
  readonly observe: RequestObserver;
}

export type EmbeddingReply =
  | {
      readonly kind: "embedded";
      /** One vector per input, in order. */
      readonly vectors: readonly EmbeddingVector[];
      /** `null` if not reported; so is `responseModel`. */
      readonly inputTokens: number | null;
      readonly responseModel: string | null;
    }
  | { readonly kind: "failed"; readonly error: ModelFailure };

export interface ModelProvider {
  /** Provider name before the slash in `model`. */
  readonly id: string;
  /**
   * Well-known vendor name, such as `gcp.gemini`:
   * https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/registry/attributes/gen-ai.md. Absent
   * if unknown.
   */
  readonly vendor?: string;
  /** Suggested names. Other names are accepted too, unless `isClosedList`. */
  readonly models: readonly string[];
  readonly isClosedList?: boolean;
  /** Describes a missing prerequisite, such as an API key, with a remedy; `null` when ready. */
  readonly problem: string | null;
  /** The provider runs its own tools (`tool-run`) and gets none of the conversation's. */
  readonly runsOwnTools?: boolean;
  /** Digest of the underlying program, with `runsOwnTools`: permanent permissions apply to that program only. */
  readonly identity?: string;
  /**
   * Context window in tokens, including the reply. `Infinity`: unlimited. `undefined`, or no answer within 5 s:
   * unknown, and its conversations are not compacted automatically.
   */
  contextWindow?(model: string): Promise<number | undefined>;
  /** Context window, limits, prices and input types, from memory; `undefined` if unknown. */
  facts?(model: string): Promise<ModelFacts | undefined>;
  /**
   * Whether a model accepts files of a media type, such as `image/png`. Other files are replaced by a description.
   * Defaults to none.
   */
  acceptsFile?(options: { readonly model: string; readonly mediaType: string }): boolean;
  /**
   * Whether a model accepts files of a media type in tool results. Other files are replaced by a description. Defaults
   * to none.
   */
  acceptsToolFile?(options: { readonly model: string; readonly mediaType: string }): boolean;
  /**
   * Whether a vendor field (`ModelSettings.vendorFields`, `Embeddings.vendorFields`) is sent to a model. Other
   * fields are an error for the caller. Defaults to none.
   */
  takesField?(options: {
    readonly model: string;
    readonly field: string;
    /** Whether the field is for an embedding request; defaults to a model call. */
    readonly isOfEmbeddings?: boolean;
  }): boolean;
  /**
   * Why the vendor would reject every request with this tool, as the end of a sentence; `undefined` if it accepts
   * the tool. The provider omits rejected tools from requests, and the conversation lists them. Defaults to
   * accepting all.
   */
  refusesTool?(options: { readonly model: string; readonly tool: ToolDefinition }): string | undefined;
  /**
   * How deferred tools (`ModelRequest.lookedUp`) are sent. `in-requests`: each request contains all of them.
   * `with-results`: a search result contains those found. Default: as text, like any other result.
   */
  takesLookedUpTools?(options: { readonly model: string }): "in-requests" | "with-results" | undefined;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Creates embeddings. Never rejects, also on abort. Absent if the API does not support them. */
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
