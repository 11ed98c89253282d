import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Endpoint } from "./settings.ts";
import type { WireCall } from "./wire-call.ts";

export interface CreateModelOptions {
  /** The name before the slash. */
  readonly provider: string;
  readonly endpoint: Endpoint;
  readonly fetch: WireCall["fetch"];
}

/** Said here because one package would take it from a variable that nobody granted. */
const vendorUrl = { openai: "https://api.openai.com/v1", deepseek: "https://api.deepseek.com" } as const;

/** What packages want that cannot do without a key; the call writes its own in the place of it. */
const noKey = "none";

/** One model of a vendor's package. The package is loaded at the first call: a host starts without it. */
export async function createModel(
  name: string,
  { provider, endpoint, fetch }: CreateModelOptions,
): Promise<LanguageModelV4> {
  const { kind, baseUrl } = endpoint;
  const shared = { apiKey: noKey, fetch: Object.assign(fetch, { preconnect: () => {} }) };
  switch (kind) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...shared, baseURL: baseUrl ?? vendorUrl.openai }).chat(name);
    }
    case "deepseek": {
      const { createDeepSeek } = await import("@ai-sdk/deepseek");
      return createDeepSeek({ ...shared, baseURL: baseUrl ?? vendorUrl.deepseek }).chat(name);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...shared,
        name: provider,
        baseURL: baseUrl ?? "",
        includeUsage: true,
      }).chatModel(name);
    }
  }
}
