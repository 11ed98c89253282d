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

/** A stateless model call: the caller supplies the full history. */
export interface ModelCallRequest {
  /** PROVIDER/MODEL. Defaults to the profile's model, then the host's default. */
  readonly model?: string;
  readonly profile?: string;
  /** Absolute. Defaults to the host's default. */
  readonly cwd?: string;
  /** System messages of the call, sent verbatim. Defaults to the base prompt of the profile or host. */
  readonly system?: readonly string[];
  /** Defaults to `replace`. */
  readonly systemMode?: "replace" | "append";
  /** Each tool call must have exactly one result, in the following message. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
  /**
   * Calls with equal keys share a vendor's prompt cache like a conversation. By default, calls with an equal
   * beginning do.
   */
  readonly cacheKey?: string;
  /**
   * For clients that return tool calls without vendor data, such as signatures: the reply is stored, and tool call
   * ids refer to it. Tool calls are then emitted only when complete, without `tool-call-start`.
   */
  readonly keepsReply?: true;
}

/** Starts with `call-start` and ends with `finish` or `failure`, by which time the record is stored. */
export type ModelCallEvent =
  | {
      readonly type: "call-start";
      readonly callId: CallId;
      /** PROVIDER/MODEL. */
      readonly model: string;
    }
  | ModelEvent;

/** Strings to embed. */
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
   * Value stored with the record, as by `keep`, before `call-start`. By default, nothing is stored before a request
   * is sent.
   */
  readonly keepFromStart?: JsonValue;
}

export interface ModelCallsService {
  /**
   * Calls a model, with retries where the vendor allows them and no output was emitted. The record with the exact
   * request is stored before the first byte is sent. Leaving the iteration early, or aborting, cancels the call.
   * @throws {ServiceError} before `call-start`: `MODEL_UNKNOWN`, `PROFILE_UNKNOWN`, `CWD_INVALID`,
   * `INVALID_REQUEST` for an unsupported file, or for `keepFromStart` when requests are not recorded,
   * `SERVICE_UNAVAILABLE`, `STORAGE_FAILED`.
   */
  call(request: ModelCallRequest, options: ModelCallOptions): AsyncIterable<ModelCallEvent>;
  /**
   * Creates embeddings. The record with the exact request is stored before the first byte is sent.
   * @throws {ServiceError} `MODEL_UNKNOWN`, `INVALID_REQUEST` if the provider does not support embeddings or a
   * field, `SERVICE_UNAVAILABLE`.
   */
  embed(request: EmbeddingCallRequest, options: { readonly signal: AbortSignal }): Promise<EmbeddingCall>;
  /** Lists calls, newest first. */
  list(page: PageQuery): Promise<Page<ModelCall>>;
  /** @throws {ServiceError} `CALL_UNKNOWN`, as all methods with an id. */
  get(id: string): Promise<ModelCall>;
  /**
   * Stores a value that a client can retrieve later, if requests are recorded. It is deleted with the call's
   * record.
   */
  keep(id: string, value: JsonValue): Promise<void>;
  /** Returns the value of `keep`, or `undefined` without one or for an unknown id. */
  kept(id: string): Promise<JsonValue | undefined>;
  /** Deletes the value of `keep`. */
  forget(id: string): Promise<void>;
  /** Returns the last request as sent. `CALL_UNKNOWN` also if none was sent. */
  request(id: string): Promise<StepRequest>;
  explain(id: string): Promise<ModelCallPrompt>;
  /** Returns the parts of the last request; empty if the vendor's format is not supported. */
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
