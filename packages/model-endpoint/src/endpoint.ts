import type { JsonObject, ModelPrices, ReasoningEffort } from "@incipit/schema";

interface ExtraOfRequest {
  /** Merged into the body of each request. */
  readonly extraBody?: JsonObject | undefined;
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined;
  /** Headers whose values come from environment variables. */
  readonly extraHeadersEnv?: Readonly<Record<string, string>> | undefined;
}

interface ConfiguredModel extends ExtraOfRequest {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly reasoningEfforts?: readonly ReasoningEffort[] | undefined;
  readonly prices?: ModelPrices | undefined;
}

export interface Endpoint extends ExtraOfRequest {
  /** URL with version, such as `https://api.openai.com/v1`. Defaults to the vendor's. */
  readonly baseUrl?: string | undefined;
  /** Name of a variable, never the key. */
  readonly apiKeyEnv?: string | undefined;
  /** Context window of its models. Defaults to the known facts of each. */
  readonly contextWindow?: number | undefined;
  /** Facts of single models by name; take precedence. */
  readonly models?: Readonly<Record<string, ConfiguredModel>> | undefined;
}
