import type { Vendor } from "@incipit/ai-sdk-provider";
import type { ModelSettings } from "@incipit/schema";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { openAiEmbeddings } from "@incipit/model-endpoint";
import { additionalTools, foundAsTools } from "./additional-tools.ts";
import { withBreakpoint } from "./cache-breakpoint.ts";
import { addresses } from "./configuration.ts";
import { acceptsFile } from "./model-abilities.ts";
import { ResponseEvents } from "./response-events.ts";
import { toResponsesUsage } from "./responses-usage.ts";
import { completeToolSchema } from "./tool-schema.ts";
import { inOrderOfReply, withoutLooseReasoning } from "./reply-order.ts";

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
  takesReasoning: ({ model: said }, { model }) => said === undefined || said.slice(said.indexOf("/") + 1) === model,
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
