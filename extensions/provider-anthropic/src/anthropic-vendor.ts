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

/** The API wants a limit; of a model that is in no catalogue, this is what all of the last generations take. */
const usualMaxOutputTokens = 32_000;

/** All models of the catalogue take them: https://platform.claude.com/docs/en/build-with-claude/vision and …/pdf-support; others are refused. */
const fileTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

/** What the API has beside what settings have a name for. */
const fields = new Set(["top_k", "thinking", "output_config", "context_management", "inference_geo", "speed"]);

/** What the package tells of the end of a reply: https://platform.claude.com/docs/en/api/handling-stop-reasons */
const endSchema = z.object({ anthropic: z.object({ stopSequence: z.string().nullable() }) });
const stopDetailsSchema = z.object({ anthropic: z.object({ stopDetails: z.object({ explanation: z.string() }) }) });

export interface AnthropicOptions {
  readonly cacheTtl: CacheTtl;
  /** Whether a model's tools are looked up by the vendor's means. */
  readonly usesToolReferences: (model: string) => boolean;
}

/** Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages */
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
    // The characters are the API's own rule; the length is that of OpenAI, for nobody says one here.
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
    // Signatures are bound to the model that gave them.
    takesReasoning: ({ model: said }, { model, settings }) =>
      !isThinkingOff(settings) && (said === undefined || said.slice(said.indexOf("/") + 1) === model),
    callOptions: (request, { facts }) => ({
      ...calledTools(request),
      maxOutputTokens: facts?.maxOutputTokens ?? usualMaxOutputTokens,
      providerOptions: {
        anthropic: {
          // Of the whole request: the vendor puts it behind the last block of each, and no message changes for it.
          cacheControl,
          // Arguments are of no use before they are whole, and endpoints that only speak the protocol may not know the field.
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

/** Blank texts are not sent: the request would end with the reply before, which the model would go on with. */
function isBlankUser(message: ModelMessage | undefined): boolean {
  return message?.role === "user" && message.parts.every((part) => part.type === "text" && part.text.trim() === "");
}

/** An hour costs twice the input to write: https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pricing */
function withTtl(facts: ModelFacts | undefined, ttl: CacheTtl): ModelFacts | undefined {
  if (ttl === "5m" || facts === undefined || facts.prices === null) return facts;
  const { longInput, ...prices } = facts.prices;
  const forLong = longInput === undefined ? {} : { longInput: { ...longInput, cacheWrite: 2 * longInput.input } };
  return { ...facts, prices: { ...prices, cacheWrite: 2 * prices.input, ...forLong } };
}
