import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CreateModelOptions, Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import type { ModelRequest } from "@incipit/service-contract";
import { acceptsFile, takesReasoning } from "./model-abilities.ts";
import { compatibleReasoning } from "./compatible-reasoning.ts";
import type { ConfiguredEndpoint } from "./settings.ts";
import { toUsage } from "./usage.ts";

type Kind = ConfiguredEndpoint["kind"];

/** Addresses are said here because one package would take its own from a variable that nobody granted. */
const own = {
  openai: { url: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY", createModel: openai },
  deepseek: { url: "https://api.deepseek.com", keyVariable: "DEEPSEEK_API_KEY", createModel: deepseek },
  "openai-compatible": { createModel: openaiCompatible },
} as const satisfies Record<Kind, Pick<Vendor, "url" | "keyVariable" | "createModel">>;

/** Whoever speaks OpenAI's chat protocol. */
export function chatVendor(kind: Kind): Vendor {
  return {
    ...own[kind],
    keyHeader: { name: "authorization", prefix: "Bearer " },
    growingList: "messages",
    systemPlace: "list",
    toolInput: "text",
    // "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40"
    ...(kind === "openai" ? { callIds: { maxLength: 40 } } : {}),
    toUsage,
    ...catalogueOf(kind),
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind, model }, mediaType),
    takesReasoning: (_message, model) => takesReasoning({ kind, model }),
    ...(kind === "openai-compatible" ? compatibleReasoning : {}),
    callOptions: callOptions[kind],
  };
}

/** Each package gets its own alone: one writes what it does not know into the body, under whichever name its provider has. */
const callOptions = {
  openai: ({ conversationId, settings }) => ({
    providerOptions: {
      openai: {
        // Reasoning models would get "developer" here and others "system": one way for all keeps the bytes the same.
        systemMessageMode: "system",
        promptCacheKey: conversationId,
        strictJsonSchema: isStrict(settings),
        ...(settings?.parallelToolCalls === false ? { parallelToolCalls: false } : {}),
      },
    },
  }),
  "openai-compatible": ({ settings }, { provider }) => ({
    includeRawChunks: true,
    providerOptions: {
      openaiCompatible: { strictJsonSchema: isStrict(settings) },
      // The package has no option for it, and writes what it does not know under the name that it goes by.
      ...(settings?.parallelToolCalls === false ? { [packageName(provider)]: { parallel_tool_calls: false } } : {}),
    },
  }),
  deepseek: () => ({}),
} as const satisfies Record<Kind, NonNullable<Vendor["callOptions"]>>;

/** What the package calls a provider: the name before its first dot. */
function packageName(provider: string): string {
  return (provider.split(".")[0] ?? "").trim();
}

/** A schema that is not meant to be strict need not keep to the vendor's rules for those that are. */
function isStrict(settings: ModelRequest["settings"]): boolean {
  return settings?.responseFormat?.isStrict === true;
}

/** Whoever is behind a compatible endpoint may have another model under the same name, and prices of its own. */
function catalogueOf(kind: Kind): Pick<Vendor, "models" | "facts"> {
  if (kind === "openai-compatible") return {};
  return { models: catalogueModels(kind), facts: async (model) => catalogueFacts(kind, model) };
}

async function openai(
  name: string,
  { baseUrl: baseURL, apiKey, fetch }: CreateModelOptions,
): Promise<LanguageModelV4> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return createOpenAI({ baseURL, apiKey, fetch }).chat(name);
}

async function deepseek(
  name: string,
  { baseUrl: baseURL, apiKey, fetch }: CreateModelOptions,
): Promise<LanguageModelV4> {
  const { createDeepSeek } = await import("@ai-sdk/deepseek");
  return createDeepSeek({ baseURL, apiKey, fetch }).chat(name);
}

async function openaiCompatible(
  name: string,
  { provider, baseUrl: baseURL, apiKey, fetch }: CreateModelOptions,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const settings = { name: provider, baseURL, apiKey, fetch, includeUsage: true, supportsStructuredOutputs: true };
  return createOpenAICompatible(settings).chatModel(name);
}
