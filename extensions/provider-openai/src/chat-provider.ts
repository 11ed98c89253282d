import { createAiSdkProvider, type AiSdkProviderOptions } from "@incipit/ai-sdk-provider";
import type { ModelProvider } from "@incipit/service-contract";
import type { ConfiguredEndpoint } from "./settings.ts";
import { chatVendor } from "./vendor.ts";

export interface ChatProviderOptions extends Pick<AiSdkProviderOptions, "id" | "net" | "env"> {
  readonly endpoint: ConfiguredEndpoint;
}

const unsupported = 'the Responses API is not supported yet: set api = "chat"';

/** One configured endpoint that speaks OpenAI's chat protocol. */
export function createChatProvider(options: ChatProviderOptions): ModelProvider {
  const { id, endpoint } = options;
  const provider = createAiSdkProvider({ ...options, vendor: chatVendor(endpoint.kind) });
  if (endpoint.api !== "responses") return provider;
  return {
    ...provider,
    problem: unsupported,
    async *stream() {
      const message = `Cannot call "${id}": ${unsupported}`;
      yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
    },
  };
}
