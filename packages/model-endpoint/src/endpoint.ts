import type { JsonObject, ModelPrices, ReasoningEffort } from "@incipit/schema";

interface ExtraOfRequest {
  /** Laid over the body of each request. */
  readonly extraBody?: JsonObject | undefined;
  /** Sent with each request, by their names. */
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined;
  /** The same, with the names of the variables that hold their values. */
  readonly extraHeadersEnv?: Readonly<Record<string, string>> | undefined;
}

interface ConfiguredModel extends ExtraOfRequest {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly reasoningEfforts?: readonly ReasoningEffort[] | undefined;
  readonly prices?: ModelPrices | undefined;
}

/** What is configured of one endpoint. */
export interface Endpoint extends ExtraOfRequest {
  /** With its version, such as `https://api.openai.com/v1`; absent: the vendor's own. */
  readonly baseUrl?: string | undefined;
  /** The name of a variable, never the key. */
  readonly apiKeyEnv?: string | undefined;
  /** Tokens that its models take in one call; absent: what is known of each. */
  readonly contextWindow?: number | undefined;
  /** What the operator knows of single models, by the name behind the slash; wins over all else. */
  readonly models?: Readonly<Record<string, ConfiguredModel>> | undefined;
}
