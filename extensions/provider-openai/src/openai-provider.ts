import { createAiSdkProvider, type Vendor } from "@incipit/provider-kit/ai-sdk";
import { usesVendorsSearch, type EndpointOptions } from "@incipit/provider-kit";
import type { ModelProvider } from "@incipit/service-contract";
import { hasAdditionalTools } from "./additional-tools.ts";
import { compatibleChat, deepseekChat, openaiChat } from "./chat-endpoint.ts";
import { createChatProvider } from "./chat-provider.ts";
import { responsesVendor } from "./responses-vendor.ts";
import { addresses, type ConfiguredEndpoint } from "./configuration.ts";

export interface OpenaiProviderOptions extends EndpointOptions {
  readonly endpoint: ConfiguredEndpoint;
}

/** Kind `openai` uses the Responses API unless configured otherwise, other kinds use chat completions. */
export function createOpenaiProvider(options: OpenaiProviderOptions): ModelProvider {
  const { kind, api } = options.endpoint;
  if (kind === "deepseek") return createChatProvider({ ...options, chat: deepseekChat });
  if (kind === "openai-compatible") return createChatProvider({ ...options, chat: compatibleChat });
  if (api === "chat") return createChatProvider({ ...options, chat: openaiChat });
  const { endpoint } = options;
  const takesAdditionalTools = (model: string): boolean =>
    usesVendorsSearch({
      configured: endpoint.toolSearch,
      endpoint,
      vendorUrl: addresses.openai.url,
      isDocumented: hasAdditionalTools(model),
    });
  const takesLookedUpTools: Vendor["takesLookedUpTools"] = ({ model }) =>
    takesAdditionalTools(model) ? "with-results" : undefined;
  return createAiSdkProvider({ ...options, vendor: { ...responsesVendor, takesLookedUpTools } });
}
