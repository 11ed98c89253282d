import type { Vendor } from "@incipit/provider-kit/ai-sdk";
import type { ModelSettings, Usage } from "@incipit/schema";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { openAiEmbeddings, isFromModel } from "@incipit/provider-kit";
import { additionalTools, foundAsTools } from "./additional-tools.ts";
import { addresses } from "./configuration.ts";
import { acceptsFile } from "./model-abilities.ts";
import { ResponseEvents } from "./response-events.ts";
import { completeToolSchema } from "./tool-schema.ts";
import type { LanguageModelV4Prompt, LanguageModelV4Message } from "@ai-sdk/provider";
import * as z from "zod";

const count = z.number().nullish().catch(null);
const rawUsageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(null),
});

/** Converts usage from the raw reply, since the AI SDK reports 0 for missing counts, which are `null` here. */
function toResponsesUsage(raw: unknown): Usage {
  const parsed = rawUsageSchema.safeParse(raw ?? {});
  const { input_tokens, output_tokens, input_tokens_details: details } = parsed.data ?? {};
  const reasoningTokens = parsed.data?.output_tokens_details?.reasoning_tokens;
  return {
    inputTokens: input_tokens ?? null,
    outputTokens: output_tokens ?? null,
    cacheReadTokens: details?.cached_tokens ?? null,
    cacheWriteTokens: details?.cache_write_tokens ?? null,
    ...(typeof reasoningTokens === "number" ? { reasoningTokens } : {}),
  };
}

/** Metadata that the adapter sets on a call with content after it. */
const placedSchema = z.object({ incipit: z.object({ behind: z.int().nonnegative() }) });

/** The host stores calls last, and the vendor rejects a reasoning item that is not followed by its result. */
function inOrderOfReply(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const calls = message.content.filter(({ type }) => type === "tool-call");
  const places = calls.map((call) => placedSchema.safeParse(call.providerOptions).data?.incipit.behind);
  if (places.every((behind) => behind === undefined)) return message;
  const others = message.content.filter(({ type }) => type !== "tool-call");
  const callsBehind = (count: number): typeof calls =>
    calls.filter((_, index) => Math.min(places[index] ?? others.length, others.length) === count);
  const content = others.flatMap((part, index) => [part, ...callsBehind(index + 1)]);
  return { ...message, content: [...callsBehind(0), ...content] };
}

/** Removes trailing reasoning, which an interrupted reply leaves. */
function withoutLooseReasoning(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  const last = message.content.findLastIndex(({ type }) => type !== "reasoning");
  return { ...message, content: message.content.slice(0, last + 1) };
}

/** GPT-5.6 and later; earlier models reject the field. */
const hasBreakpoints = /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d)/;

/**
 * After the last system text, where conversations with the same prompt and tools diverge. The vendor adds one after
 * the newest message, and finds nothing between its breakpoints.
 * https://developers.openai.com/api/docs/guides/prompt-caching
 */
function withBreakpoint(prompt: LanguageModelV4Prompt, model: string): LanguageModelV4Prompt {
  const last = prompt.findLastIndex(({ role }) => role === "system");
  if (!hasBreakpoints.test(model)) return prompt;
  return prompt.map((message, index) =>
    index === last
      ? { ...message, providerOptions: { openai: { promptCacheBreakpoint: { mode: "explicit" } } } }
      : message,
  );
}

/** https://platform.openai.com/docs/api-reference/responses/create */
const responsesFields = new Set(["reasoning", "text", "truncation", "max_tool_calls", "context_management"]);

/**
 * https://platform.openai.com/docs/api-reference/responses/create
 * Nothing is stored at the vendor: each request has the whole history, with reasoning as the encrypted text that was
 * received. System texts are messages of the role "system" at the head of `input`, for every model, as in chat
 * completions: their order is kept, while `instructions` would be a single string.
 */
export const responsesVendor: Vendor = {
  name: "openai",
  ...addresses.openai,
  keyHeader: { name: "authorization", prefix: "Bearer " },
  growingList: "input",
  systemPlace: "list",
  toolInput: "text",
  // "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64"
  callIds: { maxLength: 64 },
  async createModel(name, { baseUrl: baseURL, apiKey, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL, apiKey, fetch }).responses(name);
  },
  toUsage: toResponsesUsage,
  models: catalogueModels("openai"),
  facts: async (model) => catalogueFacts("openai", model),
  acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: "openai", model }, mediaType),
  // An output may be a list of texts and images.
  acceptsToolFile: ({ model, mediaType }) => acceptsFile({ kind: "openai", model }, mediaType),
  // Reasoning encrypted for one model is rejected by others.
  takesReasoning: (message, { model }) => isFromModel(message, model),
  callOptions: ({ conversationId, settings }) => ({
    providerOptions: {
      openai: {
        store: false,
        systemMessageMode: "system",
        promptCacheKey: conversationId,
        // The package requests a summary with each effort, which the vendor refuses to unverified organisations.
        reasoningSummary: null,
        strictJsonSchema: settings?.responseFormat?.isStrict === true,
        ...(settings?.parallelToolCalls === false ? { parallelToolCalls: false } : {}),
        ...allowed(settings?.toolChoice),
      },
    },
  }),
  hasAllowedTools: true,
  toToolSchema: completeToolSchema,
  lookup: foundAsTools,
  partOptions: additionalTools,
  embeddings: openAiEmbeddings,
  takesField: (field) => responsesFields.has(field),
  keepsCallOrder: true,
  amendReply: () => new ResponseEvents(),
  amendPrompt: (prompt, { request }) =>
    withBreakpoint(prompt, request.model).map(inOrderOfReply).map(withoutLooseReasoning),
};

function allowed(choice: ModelSettings["toolChoice"]): object {
  if (typeof choice !== "object" || !("allowed" in choice)) return {};
  return { allowedTools: { toolNames: [...choice.allowed], mode: choice.mode } };
}
