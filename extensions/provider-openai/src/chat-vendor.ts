import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CreateModelOptions, Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
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
    toUsage,
    ...catalogueOf(kind),
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind, model }, mediaType),
    takesReasoning: (_message, model) => takesReasoning({ kind, model }),
    ...(kind === "openai-compatible" ? compatibleReasoning : {}),
    callOptions: ({ conversationId }) => ({
      ...(kind === "openai-compatible" ? { includeRawChunks: true } : {}),
      providerOptions: {
        openai: {
          // Reasoning models would get "developer" here and others "system": one way for all keeps the bytes the same.
          systemMessageMode: "system",
          ...(kind === "openai" ? { promptCacheKey: conversationId } : {}),
        },
      },
    }),
  };
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
  return createOpenAICompatible({ name: provider, baseURL, apiKey, fetch, includeUsage: true }).chatModel(name);
}
