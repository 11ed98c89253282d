import type { ModelMessage } from "@incipit/schema";
import { openAiEmbeddings, type CallIdRule, type EndpointVendor, isFromModel } from "@incipit/provider-kit";
import { catalogueFacts, catalogueModels } from "@incipit/model-catalogue";
import type { ChatDialect } from "@incipit/wire";
import { addresses } from "./configuration.ts";
import { familyRules, type ChatFamily, type FamilyRulesOptions } from "./chat-family.ts";
import { acceptsFile, takesReasoning } from "./model-abilities.ts";
import { completeToolSchema } from "./tool-schema.ts";
import * as z from "zod";

export interface ChatEndpoint {
  readonly vendor: EndpointVendor;
  readonly dialect: ChatDialect;
  readonly callIds?: CallIdRule;
  familyOf?(endpoint: FamilyRulesOptions, model: string): ChatFamily;
  takesReasoning(message: ModelMessage, model: string): boolean;
  url(baseUrl: string): string;
  readonly userAgent: string;
}

const keyHeader = { name: "authorization", prefix: "Bearer " } as const;

/** Stored conversations began with requests of these libraries: gateways may match on the names. */
const userAgents = {
  deepseek: "ai-sdk-deepseek/3.0.56 ai-sdk-provider-utils/5.0.81",
  openai: "ai-sdk-openai/4.0.118 ai-sdk-provider-utils/5.0.81",
  compatible: "ai-sdk-openai-compatible/3.0.92 ai-sdk-provider-utils/5.0.81",
} as const satisfies Record<ChatDialect | "deepseek", string>;

/** https://platform.openai.com/docs/api-reference/chat */
export const openaiChat: ChatEndpoint = {
  vendor: {
    name: "openai",
    ...addresses.openai,
    keyHeader,
    models: catalogueModels("openai"),
    facts: async (model) => catalogueFacts("openai", model),
    embeddings: openAiEmbeddings,
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: "openai", model }, mediaType),
    takesField: (field) => field === "logit_bias",
    toToolSchema: completeToolSchema,
  },
  dialect: "openai",
  // "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40"
  callIds: { maxLength: 40 },
  takesReasoning: () => false, // The protocol has no field for it.
  url: (baseUrl) => `${baseUrl.replace(/\/$/, "")}/chat/completions`,
  userAgent: userAgents.openai,
};

/** The endpoint may serve another model under a known name, at its own prices. */
export const compatibleChat: ChatEndpoint = {
  vendor: {
    keyHeader,
    embeddings: { ...openAiEmbeddings, takesField: () => true },
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: "openai-compatible", model }, mediaType),
    takesField: () => true, // Unknown servers report unsupported fields themselves.
  },
  dialect: "compatible",
  familyOf: familyRules,
  takesReasoning: takesReasoningBack,
  url: (baseUrl) => new URL(`${baseUrl.replace(/\/$/, "")}/chat/completions`).toString(),
  userAgent: userAgents.compatible,
};

/** https://api-docs.deepseek.com */
export const deepseekChat: ChatEndpoint = {
  vendor: {
    name: "deepseek",
    ...addresses.deepseek,
    keyHeader,
    models: catalogueModels("deepseek"),
    facts: async (model) => catalogueFacts("deepseek", model),
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: "deepseek", model }, mediaType),
    takesField: () => true, // It ignores unknown fields.
  },
  dialect: "compatible",
  familyOf: (_endpoint, model) => familyRules({ family: "deepseek" }, model),
  takesReasoning: (_message, model) => takesReasoning({ kind: "deepseek", model }),
  url: (baseUrl) => `${baseUrl.replace(/\/$/, "")}/chat/completions`,
  userAgent: userAgents.deepseek,
};

const metadataSchema = z.object({ incipit: z.object({ reasoningField: z.literal("reasoning_content") }) });

/**
 * Some models reject a request without the reasoning that led to a tool call, and some endpoints reject unknown
 * fields. An endpoint that sent `reasoning_content` gets it back, for the same model. One that sent `reasoning` does
 * not, since requests use the other field. DeepSeek's models follow their own rule on any host.
 */
function takesReasoningBack(message: ModelMessage, model: string): boolean {
  if (message.model === undefined || !isFromModel(message, model)) return false;
  const isMarked = message.parts.some(
    (part) => part.type === "reasoning" && metadataSchema.safeParse(part.metadata).success,
  );
  const name = model.toLowerCase();
  return isMarked && (!name.includes("deepseek") || takesReasoning({ kind: "deepseek", model: name }));
}
