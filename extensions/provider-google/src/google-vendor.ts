import type { Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { amendEvent } from "./amend-event.ts";
import { amendPrompt } from "./amend-prompt.ts";
import { address } from "./configuration.ts";
import type { ModelMessage } from "@incipit/schema";
import { acceptsFile } from "./model-abilities.ts";
import { toUsage } from "./usage.ts";

/** Google's Gemini API: https://ai.google.dev/api/generate-content */
export const googleVendor: Vendor = {
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
  models: catalogueModels("google"),
  facts: async (model) => catalogueFacts("google", model),
  acceptsFile,
  refusal: ({ messages }) =>
    isEmptyUser(messages.at(-1)) ? "the last message is empty; write something" : undefined,
  amendPrompt,
  amendEvent,
};

/** It is not sent: the request would end with the reply before, or have no message at all. */
function isEmptyUser(message: ModelMessage | undefined): boolean {
  return message?.role === "user" && message.parts.every((part) => part.type === "text" && part.text === "");
}
