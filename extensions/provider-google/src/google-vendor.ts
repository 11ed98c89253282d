import type { Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { amendEvent } from "./amend-event.ts";
import { amendPrompt } from "./amend-prompt.ts";
import { acceptsFile } from "./model-abilities.ts";
import { toUsage } from "./usage.ts";

/** Google's Gemini API: https://ai.google.dev/api/generate-content */
export const googleVendor: Vendor = {
  url: "https://generativelanguage.googleapis.com/v1beta",
  keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
  keyHeader: { name: "x-goog-api-key" },
  growingList: "contents",
  systemPlace: "apart",
  toolInput: "object",
  async createModel(name, { baseUrl: baseURL, apiKey, fetch }) {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle({ baseURL, apiKey, fetch })(name);
  },
  toUsage,
  models: catalogueModels("google"),
  facts: async (model) => catalogueFacts("google", model),
  acceptsFile,
  amendPrompt,
  amendEvent,
};
