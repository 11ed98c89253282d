import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createAiSdkProvider, type CreateModelOptions, type Vendor } from "@incipit/provider-kit/ai-sdk";
import type { EndpointOptions } from "@incipit/provider-kit";
import type { ModelProvider } from "@incipit/service-contract";
import { chatUsage } from "@incipit/wire";
import * as z from "zod";
import { compatibleChat, openaiChat } from "../chat-endpoint.ts";

/** The AI SDK's packages are the reference for our own implementation, byte by byte. */
export function createPackageProvider(
  kind: "openai" | "openai-compatible",
  options: EndpointOptions,
): ModelProvider {
  return createAiSdkProvider({ ...options, vendor: kind === "openai" ? openai : compatible });
}

const shared = { growingList: "messages", systemPlace: "list", toolInput: "text", toUsage: chatUsage } as const;

const openai: Vendor = {
  ...openaiChat.vendor,
  ...shared,
  callIds: { maxLength: 40 },
  createModel: openaiModel,
  takesReasoning: () => false,
  callOptions: ({ conversationId, settings }) => ({
    providerOptions: {
      openai: {
        // The default is "developer" for reasoning models and "system" for others; one role keeps the bytes stable.
        systemMessageMode: "system",
        promptCacheKey: conversationId,
        strictJsonSchema: settings?.responseFormat?.isStrict === true,
        ...(settings?.parallelToolCalls === false ? { parallelToolCalls: false } : {}),
      },
    },
  }),
};

const rawChunkSchema = z.object({
  choices: z.tuple([z.object({ delta: z.object({ reasoning_content: z.string().min(1) }) })]).rest(z.unknown()),
});

const compatible: Vendor = {
  ...compatibleChat.vendor,
  ...shared,
  createModel: compatibleModel,
  takesReasoning: (message, { model }) => compatibleChat.takesReasoning(message, model),
  reasoningMetadata: (event) =>
    rawChunkSchema.safeParse(event).success ? { incipit: { reasoningField: "reasoning_content" } } : undefined,
  callOptions: ({ settings }, { provider }) => ({
    includeRawChunks: true,
    providerOptions: {
      openaiCompatible: { strictJsonSchema: settings?.responseFormat?.isStrict === true },
      // The package has no option for it, and passes unknown fields through under its provider name.
      ...(settings?.parallelToolCalls === false
        ? { [(provider.split(".")[0] ?? "").trim()]: { parallel_tool_calls: false } }
        : {}),
    },
  }),
};

async function openaiModel(
  name: string,
  { baseUrl: baseURL, apiKey, fetch }: CreateModelOptions,
): Promise<LanguageModelV4> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return createOpenAI({ baseURL, apiKey, fetch }).chat(name);
}

async function compatibleModel(
  name: string,
  { provider, baseUrl: baseURL, apiKey, fetch }: CreateModelOptions,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const settings = { name: provider, baseURL, apiKey, fetch, includeUsage: true, supportsStructuredOutputs: true };
  return createOpenAICompatible(settings).chatModel(name);
}
