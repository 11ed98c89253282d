import type { JsonObject, ModelFacts, ToolDefinition } from "@incipit/schema";
import type { ModelProvider, EmbeddingReply, EmbeddingRequest } from "@incipit/service-contract";

export interface EndpointVendor {
  /** Well-known name, see `ModelProvider.vendor`. */
  readonly name?: string;
  /** With version; absent if `base_url` is required. */
  readonly url?: string;
  /** Absent if no API key is needed. */
  readonly keyVariable?: string;
  /** Lower case; the prefix includes its space. */
  readonly keyHeader: { readonly name: string; readonly prefix?: string };
  /** Suggested names in addition to configured ones; other names are accepted too. */
  readonly models?: readonly string[];
  readonly embeddings?: EmbeddingsFormat;
  acceptsFile(options: { readonly model: string; readonly mediaType: string }): boolean;
  /** Like `acceptsFile`, for tool results. Defaults to none. */
  acceptsToolFile?(options: { readonly model: string; readonly mediaType: string }): boolean;
  /** Whether a vendor field of the caller is sent to a model. Defaults to none. */
  takesField?(field: string): boolean;
  /** Places vendor fields in a body. Defaults to the top level. */
  toBody?(fields: JsonObject): JsonObject;
  /** Converts an object schema of a tool; deterministic. Defaults to the identity. */
  toToolSchema?(schema: JsonObject): JsonObject;
  /** Returns why the vendor rejects a tool, see `ModelProvider`; deterministic. Defaults to accepting all. */
  refusesTool?(options: { readonly model: string; readonly tool: ToolDefinition }): string | undefined;
  /** How deferred tools are sent, see `ModelProvider`. Defaults to text. */
  takesLookedUpTools?(options: {
    readonly model: string;
  }): ReturnType<NonNullable<ModelProvider["takesLookedUpTools"]>>;
  /** From memory, by the name after the slash; `undefined` if unknown. */
  facts?(model: string): Promise<ModelFacts | undefined>;
}

export interface EmbeddingsFormat {
  /** Relative to the endpoint, without a leading slash. */
  path(model: string): string;
  takesField(field: string): boolean;
  /** Returns why the vendor would reject a request, if its own message is not clear. */
  refusal?(request: EmbeddingRequest): string | undefined;
  toBody(request: EmbeddingRequest): object;
  /** `undefined` for an invalid answer. */
  toReply(answer: unknown, request: EmbeddingRequest): Extract<EmbeddingReply, { kind: "embedded" }> | undefined;
}
