import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { CallIdRule, EndpointVendor, ReplyProgress } from "@incipit/model-endpoint";
import type { MessagePart, ModelFacts, ModelMessage, PartMetadata, ToolDefinition, Usage } from "@incipit/schema";
import type { FoundTools, ModelRequest } from "@incipit/service-contract";
import type { PackageFetch } from "./package-fetch.ts";

export interface CreateModelOptions {
  /** The name before the slash. */
  readonly provider: string;
  readonly baseUrl: string;
  /** What packages want that cannot do without a key; the call writes its own in the place of it. */
  readonly apiKey: string;
  readonly fetch: PackageFetch & { readonly preconnect: () => void };
}

/** How a vendor takes tools that are looked up, beside `takesLookedUpTools`. */
export interface VendorLookup {
  /** Options of a definition that stands in the request and not in the model's context. */
  readonly definitionOptions: SharedV4ProviderOptions;
  /** Whether the vendor takes a definition; one that it does not would refuse each request. Absent: each. */
  takes?(definition: ToolDefinition): boolean;
  /** The result of a search that has found tools. */
  result(found: FoundTools): SearchResult;
}

export interface SearchResult {
  readonly output: LanguageModelV4ToolResultOutput;
  readonly providerOptions?: SharedV4ProviderOptions;
}

/** What is known of a call beside its request. */
interface KnownOfCall {
  /** The name before the slash. */
  readonly provider: string;
  readonly facts: ModelFacts | undefined;
}

export interface AmendPromptOptions {
  readonly request: ModelRequest;
  /**
   * Index in `request.messages` of the first message of the prompt: those before it were written by an earlier call, and keep
   * their bytes. Behind the prompt's system messages there is one message for each from there on.
   */
  readonly from: number;
}

/**
 * What one vendor's AI SDK package needs that the others do not: data, and a few functions. None of it is called before the
 * first call of a model, but `acceptsFile`, `acceptsToolFile` and `facts`.
 */
export interface Vendor extends EndpointVendor {
  /** The member of the body that grows from one request of a conversation to the next; it is written last. */
  readonly growingList: "messages" | "input" | "contents";
  /** `list`: system texts are entries of the growing list. `apart`: they have a member of their own. */
  readonly systemPlace: "list" | "apart";
  /** `text`: arguments of tool calls are sent as the model wrote them. `object`: they are parsed. */
  readonly toolInput: "text" | "object";
  /** `callOptions` tells the vendor which tools may be called. Absent: it is given no others. */
  readonly hasAllowedTools?: boolean;
  /** Absent: results that have found tools are texts like any other. */
  readonly lookup?: VendorLookup;
  /** Which ids of tool calls the vendor takes; another vendor's, or a client's, may be others. Absent: any. */
  readonly callIds?: CallIdRule;
  /** Loads the package at the first call: a host starts without it. */
  createModel(name: string, options: CreateModelOptions): Promise<LanguageModelV4>;
  /** From what the vendor sent, which may be nothing; what was not reported is `null`. */
  toUsage(raw: unknown): Usage;
  /** Which stop sequence ended a reply, from what the package tells of its end; absent, or `undefined`: the vendor does not say. */
  stopSequence?(metadata: SharedV4ProviderMetadata): string | undefined;
  /** Why the vendor refused a reply, in its words, from what the package tells of its end; absent, or `undefined`: it gives none. */
  explanation?(metadata: SharedV4ProviderMetadata): string | undefined;
  /** Why the vendor would not take a request as it is, and what to do, where its own words do not say so; else `undefined`. */
  refusal?(request: ModelRequest): string | undefined;
  /** Whether the reasoning of an earlier message goes back to the model; absent: always. */
  takesReasoning?(message: ModelMessage, request: Pick<ModelRequest, "model" | "settings">): boolean;
  /**
   * What is to be known of the reasoning of a reply when it is sent again, from one event of it as the vendor wrote it; asked
   * for each event when `callOptions` has `includeRawChunks`, until it says something.
   */
  reasoningMetadata?(event: unknown): PartMetadata | undefined;
  /**
   * Calls have to go back between the texts and the reasoning where the model wrote them: one that something was written
   * behind gets `{ incipit: { behind } }` as metadata, the number of parts before it that are no calls.
   */
  readonly keepsCallOrder?: boolean;
  /** Options of the package beside the request's settings, which win. The same request has to give the same. */
  callOptions?(request: ModelRequest, known: KnownOfCall): Omit<LanguageModelV4CallOptions, "prompt">;
  /** Options that go with single parts of the request's messages; what a part gets may depend on what is before it alone. */
  partOptions?(request: ModelRequest): ReadonlyMap<MessagePart, SharedV4ProviderOptions>;
  /** The prompt as the vendor wants it: what it makes of a message may depend on those before it alone. */
  amendPrompt?(prompt: LanguageModelV4Prompt, options: AmendPromptOptions): LanguageModelV4Prompt;
  /** Reads the events of one reply before the package does; called once for each reply. */
  amendReply?(): ReplyAmender;
}

/**
 * Turns what servers send into what the package reads, for one reply: what it would refuse, leave out, or miss. It keeps what
 * it has to know of the events before.
 */
export interface ReplyAmender {
  /** Returns the events that take the place of one; `data` is its text. The same value keeps the text as it came. */
  take(event: unknown, data: string): readonly unknown[];
  /** Returns what is missing behind the last event. `isDone`: the server said that it is done, as chat completions end. */
  end(isDone: boolean): readonly unknown[];
  /** Returns an error as the vendor writes it in the middle of a stream. */
  error(message: string): unknown;
  readonly progress: ReplyProgress;
}
