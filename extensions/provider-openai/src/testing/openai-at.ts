import type { Environment } from "@incipit/kernel";
import type { ModelProvider } from "@incipit/service-contract";
import { socketNet as net } from "@incipit/testkit";
import type { ConfiguredEndpoint } from "../configuration.ts";
import { createOpenaiProvider } from "../openai-provider.ts";

export const testKey = "sk-test-0123456789";
const usualEnv: Environment = { get: (name) => (name === "TEST_KEY" ? testKey : undefined) };

export interface OpenaiAtOptions extends Omit<ConfiguredEndpoint, "baseUrl"> {
  readonly id?: string;
  readonly env?: Environment;
}

/** With a key that only `TEST_KEY` holds. */
export function openaiAt(
  baseUrl: string,
  { id = "local", env = usualEnv, ...endpoint }: OpenaiAtOptions,
): ModelProvider {
  return createOpenaiProvider({ id, endpoint: { apiKeyEnv: "TEST_KEY", ...endpoint, baseUrl }, net, env });
}
