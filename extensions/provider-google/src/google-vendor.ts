import type { Vendor } from "@incipit/provider-kit/ai-sdk";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { GeminiReplies } from "./gemini-replies.ts";
import { amendPrompt } from "./amend-prompt.ts";
import { address } from "./configuration.ts";
import { googleEmbeddings } from "./google-embeddings.ts";
import { withFields, type JsonObject, type ModelMessage, type Usage } from "@incipit/schema";
import { acceptsFile, acceptsToolFile } from "./model-abilities.ts";
import * as z from "zod";

const count = z.number().nullish().catch(null);
/** https://ai.google.dev/api/generate-content#UsageMetadata */
const rawUsageSchema = z.object({
  promptTokenCount: count,
  toolUsePromptTokenCount: count,
  cachedContentTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  totalTokenCount: count,
});

/**
 * Protocol buffers omit zero counts from JSON (https://protobuf.dev/programming-guides/json), so once any count is
 * present, a missing one is 0. Cache writes are not counted.
 */
export function toUsage(raw: unknown): Usage {
  const { data } = rawUsageSchema.safeParse(raw ?? {});
  const reported = Object.values(data ?? {}).some((value) => typeof value === "number");
  if (data === undefined || !reported)
    return { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  return {
    inputTokens: (data.promptTokenCount ?? 0) + (data.toolUsePromptTokenCount ?? 0),
    outputTokens: (data.candidatesTokenCount ?? 0) + (data.thoughtsTokenCount ?? 0),
    cacheReadTokens: data.cachedContentTokenCount ?? 0,
    cacheWriteTokens: null,
    ...(typeof data.thoughtsTokenCount === "number" ? { reasoningTokens: data.thoughtsTokenCount } : {}),
  };
}

/** Includes `top_k` under its common name. */
const fields = new Set(["generationConfig", "safetySettings", "cachedContent", "labels", "top_k"]);

/** https://ai.google.dev/api/generate-content#candidate */
const endSchema = z.object({ google: z.object({ finishMessage: z.string() }) });

/** https://ai.google.dev/api/generate-content */
export const googleVendor: Vendor = {
  name: "gcp.gemini",
  ...address,
  keyHeader: { name: "x-goog-api-key" },
  growingList: "contents",
  systemPlace: "apart",
  toolInput: "object",
  async createModel(name, { baseUrl: baseURL, apiKey, fetch }) {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle({ baseURL, apiKey, fetch })(name);
  },
  toUsage,
  explanation: (metadata) => endSchema.safeParse(metadata).data?.google.finishMessage,
  models: catalogueModels("google"),
  facts: async (model) => catalogueFacts("google", model),
  acceptsFile,
  acceptsToolFile,
  embeddings: googleEmbeddings,
  takesField: (field) => fields.has(field),
  toBody,
  refusal: ({ messages }) =>
    isEmptyUser(messages.at(-1)) ? "the last message is empty; write something" : undefined,
  amendPrompt,
  amendReply: () => new GeminiReplies(),
};

/** Such a message would be omitted: the request would end with the previous reply, or have no message. */
function isEmptyUser(message: ModelMessage | undefined): boolean {
  return message?.role === "user" && message.parts.every((part) => part.type === "text" && part.text === "");
}

function toBody({ top_k: topK, ...rest }: JsonObject): JsonObject {
  return topK === undefined ? rest : withFields(rest, { generationConfig: { topK } });
}
