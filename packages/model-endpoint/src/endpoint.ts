import type { ModelPrices } from "@incipit/schema";

interface ConfiguredModel {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly prices?: ModelPrices | undefined;
}

/** What is configured of one endpoint. */
export interface Endpoint {
  /** With its version, such as `https://api.openai.com/v1`; absent: the vendor's own. */
  readonly baseUrl?: string | undefined;
  /** The name of a variable, never the key. */
  readonly apiKeyEnv?: string | undefined;
  /** Tokens that its models take in one call; absent: what is known of each. */
  readonly contextWindow?: number | undefined;
  /** What the operator knows of single models, by the name behind the slash; wins over all else. */
  readonly models?: Readonly<Record<string, ConfiguredModel>> | undefined;
}
