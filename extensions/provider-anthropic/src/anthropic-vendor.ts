import type { Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { refusedProperty } from "@incipit/model-endpoint";
import type { ModelFacts, ModelMessage } from "@incipit/schema";
import * as z from "zod";
import { MessageEvents } from "./message-events.ts";
import { amendPrompt } from "./amend-prompt.ts";
import { boundThinking, isThinkingOff } from "./bound-thinking.ts";
import { breakpointOf, breakpoints, type CacheTtl } from "./breakpoints.ts";
import { address } from "./configuration.ts";
import { calledTools } from "./called-tools.ts";
import { toolReferences } from "./tool-references.ts";
import { toUsage } from "./usage.ts";

/** The API requires a limit; all models of recent generations accept this one. */
const usualMaxOutputTokens = 32_000;

/** Others are rejected: https://platform.claude.com/docs/en/build-with-claude/vision and …/pdf-support */
const fileTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

/** API fields without an equivalent setting. */
const fields = new Set(["top_k", "thinking", "output_config", "context_management", "inference_geo", "speed"]);

/** https://platform.claude.com/docs/en/api/handling-stop-reasons */
const endSchema = z.object({ anthropic: z.object({ stopSequence: z.string().nullable() }) });
const stopDetailsSchema = z.object({ anthropic: z.object({ stopDetails: z.object({ explanation: z.string() }) }) });

export interface AnthropicOptions {
  readonly cacheTtl: CacheTtl;
  readonly usesToolReferences: (model: string) => boolean;
}

/** https://platform.claude.com/docs/en/api/messages */
export function anthropicVendor({ cacheTtl, usesToolReferences }: AnthropicOptions): Vendor {
  const cacheControl = breakpointOf(cacheTtl);
  const breakpointOptions = { anthropic: { cacheControl } };
  return {
    name: "anthropic",
    ...address,
    keyHeader: { name: "x-api-key" },
    growingList: "messages",
    systemPlace: "apart",
    toolInput: "object",
    // The characters are the API's rule; it documents no length, so this is OpenAI's.
    callIds: { maxLength: 64, refused: /[^a-zA-Z0-9_-]/ },
    async createModel(name, { baseUrl: baseURL, apiKey, fetch }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey, fetch })(name);
    },
    toUsage,
    stopSequence: (metadata) => endSchema.safeParse(metadata).data?.anthropic.stopSequence ?? undefined,
    explanation: (metadata) => stopDetailsSchema.safeParse(metadata).data?.anthropic.stopDetails.explanation,
    models: catalogueModels("anthropic"),
    facts: async (model) => withTtl(catalogueFacts("anthropic", model), cacheTtl),
    acceptsFile: ({ mediaType }) => fileTypes.has(mediaType),
    acceptsToolFile: ({ mediaType }) => fileTypes.has(mediaType),
    takesField: (field) => fields.has(field),
    refusesTool: ({ tool }) => refusedProperty(tool),
    takesLookedUpTools: ({ model }) => (usesToolReferences(model) ? "in-requests" : undefined),
    lookup: toolReferences,
    refusal: ({ messages }) =>
      isBlankUser(messages.at(-1)) ? "the last message is blank; write something" : undefined,
    // Signatures are valid only for the model that issued them.
    takesReasoning: ({ model: said }, { model, settings }) =>
      !isThinkingOff(settings) && (said === undefined || said.slice(said.indexOf("/") + 1) === model),
    callOptions: (request, { facts }) => ({
      ...calledTools(request),
      maxOutputTokens: facts?.maxOutputTokens ?? usualMaxOutputTokens,
      providerOptions: {
        anthropic: {
          // Top-level: the vendor applies it to the last block of each request, without changing any message.
          cacheControl,
          // Partial arguments are useless, and compatible endpoints may not know the field.
          toolStreaming: false,
          ...boundThinking(request.model, request.settings),
          ...(request.settings?.parallelToolCalls === false ? { disableParallelToolUse: true } : {}),
        },
      },
    }),
    partOptions: ({ messages }) => breakpoints(messages, breakpointOptions),
    amendPrompt: (prompt) => amendPrompt(prompt, breakpointOptions),
    amendReply: () => new MessageEvents(),
  };
}

/** The request would end with the previous reply, which the model would continue. */
function isBlankUser(message: ModelMessage | undefined): boolean {
  return message?.role === "user" && message.parts.every((part) => part.type === "text" && part.text.trim() === "");
}

/**
 * Writing with a 1 h TTL costs twice the input price:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pricing
 */
function withTtl(facts: ModelFacts | undefined, ttl: CacheTtl): ModelFacts | undefined {
  if (ttl === "5m" || facts === undefined || facts.prices === null) return facts;
  const { longInput, ...prices } = facts.prices;
  const forLong = longInput === undefined ? {} : { longInput: { ...longInput, cacheWrite: 2 * longInput.input } };
  return { ...facts, prices: { ...prices, cacheWrite: 2 * prices.input, ...forLong } };
}
