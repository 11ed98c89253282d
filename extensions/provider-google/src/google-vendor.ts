import type { Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { GeminiReplies } from "./gemini-replies.ts";
import { amendPrompt } from "./amend-prompt.ts";
import { address } from "./configuration.ts";
import { googleEmbeddings } from "./google-embeddings.ts";
import { withFields, type JsonObject, type ModelMessage } from "@incipit/schema";
import { acceptsFile, acceptsToolFile } from "./model-abilities.ts";
import { toUsage } from "./usage.ts";
import * as z from "zod";

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
