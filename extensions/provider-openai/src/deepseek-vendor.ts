import type { Vendor } from "@incipit/ai-sdk-provider";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import { chatUsage } from "@incipit/wire";
import { addresses } from "./configuration.ts";
import { acceptsFile, takesReasoning } from "./model-abilities.ts";

/** DeepSeek's own chat completions: https://api-docs.deepseek.com */
export const deepseekVendor: Vendor = {
  name: "deepseek",
  // Said here because the package would take its own from a variable that nobody granted.
  ...addresses.deepseek,
  keyHeader: { name: "authorization", prefix: "Bearer " },
  growingList: "messages",
  systemPlace: "list",
  toolInput: "text",
  async createModel(name, { baseUrl: baseURL, apiKey, fetch }) {
    const { createDeepSeek } = await import("@ai-sdk/deepseek");
    return createDeepSeek({ baseURL, apiKey, fetch }).chat(name);
  },
  toUsage: chatUsage,
  models: catalogueModels("deepseek"),
  facts: async (model) => catalogueFacts("deepseek", model),
  acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: "deepseek", model }, mediaType),
  takesField: () => true, // It leaves what it does not know where it is.
  takesReasoning: (_message, { model }) => takesReasoning({ kind: "deepseek", model }),
};
