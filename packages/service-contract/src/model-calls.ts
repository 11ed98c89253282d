import { defineHandle, type JsonValue, type ServiceHandle } from "@incipit/kernel";
import type {
  CallId,
  ModelCall,
  ModelCallPrompt,
  ModelMessage,
  ModelSettings,
  PageQuery,
  RequestPart,
  StepRequest,
  ToolDefinition,
} from "@incipit/schema";
import type { Page } from "./conversations.ts";
import type { EmbeddingReply, Embeddings, ModelEvent } from "./model-provider.ts";

/** One call of a model that belongs to no conversation: whoever asks brings all of the history. */
export interface ModelCallRequest {
  /** PROVIDER/MODEL; absent: that of the profile, else the host's default. */
  readonly model?: string;
  readonly profile?: string;
  /** Absolute; absent: the host's default. */
  readonly cwd?: string;
  /** System texts of the call, sent as they are; absent: the base of the profile, or of the host. */
  readonly system?: readonly string[];
  /** Absent: `replace`. */
  readonly systemMode?: "replace" | "append";
  /** As a provider is given them: each tool call has one result in the message behind it. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
  /** Calls of one key are those of one conversation for a vendor's cache; absent: those that begin alike. */
  readonly cacheKey?: string;
  /**
   * For a client that gives tool calls back without what the vendor said of them, such as a signature: the reply is kept, and
   * such calls get ids by which it is found again. A call is then told when it is whole, without `tool-call-start`.
   */
  readonly keepsReply?: true;
}

/** `call-start` is the first, `finish` or `failure` the last; its record is stored when that comes. */
export type ModelCallEvent =
  | {
      readonly type: "call-start";
      readonly callId: CallId;
      /** PROVIDER/MODEL. */
      readonly model: string;
    }
  | ModelEvent;

/** Texts to be turned into vectors. */
export interface EmbeddingCallRequest extends Embeddings {
  /** PROVIDER/MODEL. */
  readonly model: string;
}

export interface EmbeddingCall {
  readonly callId: CallId;
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly reply: EmbeddingReply;
}

export interface ModelCallOptions {
  readonly signal: AbortSignal;
  /**
   * What is kept of the call from its beginning, as by `keep`: the record of a call that is running, and this with it, are
   * stored before `call-start`. Absent: nothing is stored before a request leaves.
   */
  readonly keepFromStart?: JsonValue;
}

export interface ModelCallsService {
  /**
   * Calls a model, tried again where the vendor allows it and nothing was shown yet. No byte leaves before the record is
   * stored, with the exact request. Who leaves early, or aborts, stops the call.
   * @throws {ServiceError} before `call-start`: `MODEL_UNKNOWN`, `PROFILE_UNKNOWN`, `CWD_INVALID`, `INVALID_REQUEST` for a
   *   file that the model does not take, or for `keepFromStart` where requests are not recorded, `SERVICE_UNAVAILABLE`,
   *   `STORAGE_FAILED`.
   */
  call(request: ModelCallRequest, options: ModelCallOptions): AsyncIterable<ModelCallEvent>;
  /**
   * Turns texts into vectors, once: nothing is told to a model, and the record has the exact request as that of a call has. No
   * byte leaves before it is stored.
   * @throws {ServiceError} `MODEL_UNKNOWN`, `INVALID_REQUEST` where the provider has no embeddings or not such a field,
   *   `SERVICE_UNAVAILABLE`.
   */
  embed(request: EmbeddingCallRequest, options: { readonly signal: AbortSignal }): Promise<EmbeddingCall>;
  /** Newest first. */
  list(page: PageQuery): Promise<Page<ModelCall>>;
  /** Rejects, as all that take an id, with {@link ServiceError} `CALL_UNKNOWN`. */
  get(id: string): Promise<ModelCall>;
  /** Keeps what a client of its protocol can ask for later, where requests are recorded; it goes when the record of the call does. */
  keep(id: string, value: JsonValue): Promise<void>;
  /** `undefined`: nothing is kept, or not any more. Does not reject for an id that no call has. */
  kept(id: string): Promise<JsonValue | undefined>;
  /** Keeps it no longer. */
  forget(id: string): Promise<void>;
  /** The exact request that left last; `CALL_UNKNOWN` also when none did. */
  request(id: string): Promise<StepRequest>;
  explain(id: string): Promise<ModelCallPrompt>;
  /** The parts of the request that left last; none: its vendor writes it in a way that is not known here. */
  parts(id: string): Promise<readonly RequestPart[]>;
}

export const modelCallsHandle: ServiceHandle<ModelCallsService> = defineHandle<ModelCallsService>("model-calls@1", {
  call: "function",
  embed: "function",
  list: "function",
  get: "function",
  keep: "function",
  kept: "function",
  forget: "function",
  request: "function",
  explain: "function",
  parts: "function",
});
