import { createAiSdkProvider, type AiSdkProviderOptions } from "@incipit/ai-sdk-provider";
import type { ModelProvider } from "@incipit/service-contract";
import { chatVendor } from "./chat-vendor.ts";
import { responsesVendor } from "./responses-vendor.ts";
import type { ConfiguredEndpoint } from "./settings.ts";

export interface OpenaiProviderOptions extends Pick<AiSdkProviderOptions, "id" | "net" | "env"> {
  readonly endpoint: ConfiguredEndpoint;
}

/** One configured endpoint: OpenAI's with the Responses API unless the configuration says otherwise, others with chat completions. */
export function createOpenaiProvider(options: OpenaiProviderOptions): ModelProvider {
  const { kind, api = "responses" } = options.endpoint;
  const vendor = kind === "openai" && api === "responses" ? responsesVendor : chatVendor(kind);
  return createAiSdkProvider({ ...options, vendor });
}
