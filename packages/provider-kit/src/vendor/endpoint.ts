import type { JsonObject, ModelPrices, ReasoningEffort } from "@incipit/schema";

interface ExtraOfRequest {
  readonly extraBody?: JsonObject | undefined;
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined;
  /** Values are names of environment variables. */
  readonly extraHeadersEnv?: Readonly<Record<string, string>> | undefined;
}

interface ConfiguredModel extends ExtraOfRequest {
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly reasoningEfforts?: readonly ReasoningEffort[] | undefined;
  readonly prices?: ModelPrices | undefined;
}

export interface Endpoint extends ExtraOfRequest {
  /** With version, such as `https://api.openai.com/v1`. Defaults to the vendor's. */
  readonly baseUrl?: string | undefined;
  /** Name of a variable, never the key. */
  readonly apiKeyEnv?: string | undefined;
  /** Defaults to the known facts of each model. */
  readonly contextWindow?: number | undefined;
  /** By name; take precedence over known facts. */
  readonly models?: Readonly<Record<string, ConfiguredModel>> | undefined;
}

/** Own properties only, because names are arbitrary. */
export function configuredModel(
  { models = {} }: Endpoint,
  model: string,
): NonNullable<Endpoint["models"]>[string] | undefined {
  return Object.hasOwn(models, model) ? models[model] : undefined;
}
