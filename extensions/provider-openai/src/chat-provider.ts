import {
  callIdFor,
  createEndpointProvider,
  jsonObject,
  refusedProperty,
  type EndpointOptions,
  type EndpointVendor,
} from "@incipit/provider-kit";
import type { ModelProvider } from "@incipit/service-contract";
import { ChatEncoder, ChunkReader, deepseekJsonText } from "@incipit/wire";
import { chatCall } from "./chat-call.ts";
import type { ChatEndpoint } from "./chat-endpoint.ts";
import { isClaude, type ChatFamily, type FamilyRulesOptions } from "./chat-family.ts";
import { familySchema } from "./family-schema.ts";

export interface ChatProviderOptions extends EndpointOptions {
  readonly endpoint: EndpointOptions["endpoint"] & FamilyRulesOptions;
  readonly chat: ChatEndpoint;
}

export function createChatProvider(options: ChatProviderOptions): ModelProvider {
  const { id, chat, net } = options;
  const { dialect, callIds } = chat;
  const families = new Map<string, ChatFamily>();
  const familyOf = (model: string): ChatFamily => {
    const known = families.get(model) ?? chat.familyOf?.(options.endpoint, model) ?? {};
    families.set(model, known);
    return known;
  };
  const key = metadataKey(id);
  const encoder = new ChatEncoder({
    dialect,
    metadataKey: key,
    // Endpoints that parse arguments would reject the conversation permanently. The result describes the error.
    toArguments: (input) => (jsonObject(input) === undefined ? "{}" : input),
    rulesOf: familyOf,
    toCallId: (callId, model) => callIdFor(familyOf(model).callIds ?? callIds, callId),
    takesReasoning: (message, model) => chat.takesReasoning(message, model),
  });
  const reader = new ChunkReader(dialect);
  const { schemas } = familyOf(""); // Schema conversion does not depend on the model.
  const vendor: EndpointVendor = {
    ...chat.vendor,
    ...(schemas === undefined ? {} : { toToolSchema: (schema) => familySchema(schemas, schema) }),
    refusesTool: ({ model, tool }) => (isClaude(model) ? refusedProperty(tool) : undefined),
  };
  return createEndpointProvider({
    ...options,
    vendor,
    call: (asked, address) => {
      // After the prompt, which is the same in each request.
      const jsonText = familyOf(asked.model).settings === "deepseek" ? deepseekJsonText(asked) : undefined;
      const request =
        jsonText === undefined ? asked : { ...asked, systemPrompt: [...asked.systemPrompt, jsonText] };
      return chatCall(request, { id, chat, net, encoder, reader, metadataKey: key, ...address });
    },
  });
}

/**
 * The endpoint's name up to its first dot. Two spellings that the protocol itself uses map to the key of stored
 * conversations.
 */
function metadataKey(id: string): string {
  const [name = ""] = id.split(".");
  const trimmed = name.trim();
  const camelCase = trimmed.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return camelCase === "openaiCompatible" ? camelCase : trimmed;
}
