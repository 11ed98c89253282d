import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { CallIdRule } from "../requests/call-id.ts";
import type { EndpointVendor } from "../vendor/endpoint-vendor.ts";
import type { ReplyProgress } from "../replies/reply-body.ts";
import type { MessagePart, ModelFacts, ModelMessage, PartMetadata, ToolDefinition, Usage } from "@incipit/schema";
import type { FoundTools, ModelRequest } from "@incipit/service-contract";
import type { PackageFetch } from "./package-fetch.ts";

export interface CreateModelOptions {
  readonly provider: string;
  readonly baseUrl: string;
  /** Packages require a key; the call sets the actual one. */
  readonly apiKey: string;
  readonly fetch: PackageFetch & { readonly preconnect: () => void };
}

/** For `takesLookedUpTools`. */
export interface NativeToolSearch {
  /** Options of a deferred definition. */
  readonly definitionOptions: SharedV4ProviderOptions;
  /** Definitions that the vendor rejects would break each request. Defaults to all. */
  takes?(definition: ToolDefinition): boolean;
  result(found: FoundTools): SearchResult;
}

export interface SearchResult {
  readonly output: LanguageModelV4ToolResultOutput;
  readonly providerOptions?: SharedV4ProviderOptions;
}

interface KnownOfCall {
  readonly provider: string;
  readonly facts: ModelFacts | undefined;
}

export interface AmendPromptOptions {
  readonly request: ModelRequest;
  /**
   * Index in `request.messages` of the prompt's first message: earlier ones were encoded by a previous call and keep
   * their bytes. After its system messages, the prompt has one message for each from there on.
   */
  readonly from: number;
}

/**
 * A vendor's AI SDK package. Before a model's first call, only `acceptsFile`, `acceptsToolFile` and `facts` are used.
 */
export interface Vendor extends EndpointVendor {
  /** Body field that grows with a conversation; written last. */
  readonly growingList: "messages" | "input" | "contents";
  /** `list`: system messages are entries of the growing list. `apart`: they have their own field. */
  readonly systemPlace: "list" | "apart";
  /** `text`: arguments of tool calls are sent verbatim. `object`: they are parsed. */
  readonly toolInput: "text" | "object";
  /** `callOptions` restricts the callable tools. By default only callable tools are sent. */
  readonly hasAllowedTools?: boolean;
  /** Absent if search results are sent as text. */
  readonly lookup?: NativeToolSearch;
  /** Ids of other vendors and clients are converted. Defaults to any. */
  readonly callIds?: CallIdRule;
  /** Loads the package on the first call, so that a host starts without it. */
  createModel(name: string, options: CreateModelOptions): Promise<LanguageModelV4>;
  /** Unreported counts are `null`. */
  toUsage(raw: unknown): Usage;
  stopSequence?(metadata: SharedV4ProviderMetadata): string | undefined;
  /** Explains a refusal, if it does. */
  explanation?(metadata: SharedV4ProviderMetadata): string | undefined;
  /** Returns a reason with a remedy, if the vendor's own message is unclear. */
  refusal?(request: ModelRequest): string | undefined;
  /** Reasoning of an earlier message is sent back. Defaults to true. */
  takesReasoning?(message: ModelMessage, request: Pick<ModelRequest, "model" | "settings">): boolean;
  /** From a raw event; called for each event, with `includeRawChunks` in `callOptions`, until it returns a value. */
  reasoningMetadata?(event: unknown): PartMetadata | undefined;
  /**
   * Preserves the position of calls between text and reasoning: a call with later output gets
   * `{ incipit: { behind } }` as metadata, the number of preceding parts other than calls.
   */
  readonly keepsCallOrder?: boolean;
  /** Take precedence over options from the request's settings. Must be deterministic. */
  callOptions?(request: ModelRequest, known: KnownOfCall): Omit<LanguageModelV4CallOptions, "prompt">;
  /** May depend only on preceding parts. */
  partOptions?(request: ModelRequest): ReadonlyMap<MessagePart, SharedV4ProviderOptions>;
  /** Each message may depend only on preceding ones. */
  amendPrompt?(prompt: LanguageModelV4Prompt, options: AmendPromptOptions): LanguageModelV4Prompt;
  /** Called once per reply, before the package reads its events. */
  amendReply?(): ReplyConverter;
}

/** For events that the package would reject, ignore or miss. May keep state. */
export interface ReplyConverter {
  /** `data` is the event's text. An unchanged value keeps its text. */
  take(event: unknown, data: string): readonly unknown[];
  /** `isDone`: the server sent its end marker, as in chat completions. */
  end(isDone: boolean): readonly unknown[];
  error(message: string): unknown;
  readonly progress: ReplyProgress;
}
