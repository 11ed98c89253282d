import type { JsonObject, ModelFacts, ToolDefinition } from "@incipit/schema";
import type { ModelProvider } from "@incipit/service-contract";
import type { EmbeddingsFormat } from "./embeddings-format.ts";

/** What is known of a vendor, whoever writes its requests: data, and a few functions. */
export interface EndpointVendor {
  /** Its well-known name, see `ModelProvider.vendor`; absent: whoever is behind an address. */
  readonly name?: string;
  /** Where calls go unless the configuration says otherwise, with its version; absent: `base_url` has to be set. */
  readonly url?: string;
  /** The variable that holds the key where the configuration names none; absent: none is needed. */
  readonly keyVariable?: string;
  /** The header that carries the key, in lower case, and what comes before the key, with its space. */
  readonly keyHeader: { readonly name: string; readonly prefix?: string };
  /** Names to offer, beside those that are configured; any other name is taken too. Absent: none. */
  readonly models?: readonly string[];
  /** How its API turns texts into vectors; absent: it does not. */
  readonly embeddings?: EmbeddingsFormat;
  acceptsFile(options: { readonly model: string; readonly mediaType: string }): boolean;
  /** The same with the result of a tool; absent: none. */
  acceptsToolFile?(options: { readonly model: string; readonly mediaType: string }): boolean;
  /** Whether a call of a model may have a field of a caller, sent as it is written; absent: none. */
  takesField?(field: string): boolean;
  /** Such fields as they stand in a body; absent: at the top of it. */
  toBody?(fields: JsonObject): JsonObject;
  /** A tool's schema, which says that it is one of an object, as it takes it; the same gives the same. Absent: as it is. */
  toToolSchema?(schema: JsonObject): JsonObject;
  /** Why it refuses a tool for a model whatever is changed, see `ModelProvider`; the same gives the same. Absent: it refuses none. */
  refusesTool?(options: { readonly model: string; readonly tool: ToolDefinition }): string | undefined;
  /** How it takes tools that are looked up, see `ModelProvider`; absent: as texts. */
  takesLookedUpTools?(options: {
    readonly model: string;
  }): ReturnType<NonNullable<ModelProvider["takesLookedUpTools"]>>;
  /** From memory, for the name behind the slash; absent or `undefined`: not known. */
  facts?(model: string): Promise<ModelFacts | undefined>;
}
