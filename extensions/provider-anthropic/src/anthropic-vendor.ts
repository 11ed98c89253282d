import type { Vendor } from "@incipit/provider-kit/ai-sdk";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { refusedProperty, isFromModel } from "@incipit/provider-kit";
import type { ModelFacts, ModelMessage, ModelSettings, Usage } from "@incipit/schema";
import * as z from "zod";
import { MessageEvents } from "./message-events.ts";
import { amendPrompt } from "./amend-prompt.ts";
import { breakpointOf, breakpoints, type CacheTtl } from "./breakpoints.ts";
import { address } from "./configuration.ts";
import { toolReferences } from "./tool-references.ts";
import type { ModelRequest } from "@incipit/service-contract";

/** Default output limit: the API requires one, and all models of recent generations accept this one. */
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
    takesReasoning: (message, { model, settings }) => !isThinkingOff(settings) && isFromModel(message, model),
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

/** Account settings decide whether a mismatch is rejected or dropped. */
const preserved = /^claude-(?:(?:fable|mythos)-5-\d|(?:opus|sonnet|haiku)-5-5)/;

/**
 * Makes a model drop thinking whose prefix has changed instead of rejecting the request: the system prompt and tools
 * may change, and a history may be forked, imported or stripped of secrets. Valid thinking is still used.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
function boundThinking(model: string, settings: ModelSettings | undefined): object {
  if (!preserved.test(model) || isThinkingOff(settings)) return {};
  return {
    anthropicBeta: ["thinking-binding-controls-2026-08-01"],
    // The default of these models; the option requires it explicitly.
    thinking: { type: "adaptive", blockBinding: { prefixMismatchBehavior: "drop_block" } },
  };
}

/** Returns whether thinking is off: then `block_binding` is unavailable, and old thinking has to be omitted. */
function isThinkingOff(settings: ModelSettings | undefined): boolean {
  const thinking = settings?.vendorFields?.["thinking"];
  const isDisabled =
    typeof thinking === "object" && thinking !== null && "type" in thinking && thinking["type"] === "disabled";
  return settings?.reasoningEffort === "none" || isDisabled;
}

type CallOptions = ReturnType<NonNullable<Vendor["callOptions"]>>;

/** Returns tools for a history with calls, which the API rejects without tools; new calls are forbidden. */
function calledTools({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): CallOptions {
  if (tools.length > 0) return {};
  const names = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : []))),
  );
  if (names.size === 0) return {};
  return {
    tools: [...names].toSorted().map((name) => ({ type: "function", name, inputSchema: { type: "object" } })),
    toolChoice: { type: "none" },
  };
}

/** Below 0 is `unreported`: see message-events.ts. */
const count = z.number().min(0).nullish().catch(null);
const rawUsageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});

/** The vendor's `input_tokens` exclude cached input; ours include it. */
export function toUsage(raw: unknown): Usage {
  const { data } = rawUsageSchema.safeParse(raw ?? {});
  const uncached = data?.input_tokens ?? null;
  const cacheReadTokens = data?.cache_read_input_tokens ?? null;
  const cacheWriteTokens = data?.cache_creation_input_tokens ?? null;
  return {
    inputTokens: uncached === null ? null : uncached + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: data?.output_tokens ?? null,
    cacheReadTokens,
    cacheWriteTokens,
  };
}
