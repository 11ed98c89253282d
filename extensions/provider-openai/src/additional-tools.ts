import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { NativeToolSearch } from "@incipit/provider-kit/ai-sdk";
import type { MessagePart } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import { takesSchema } from "./takes-schema.ts";

/**
 * "Only `gpt-5.4` and later models support" tool search; nano and chat models do not:
 * https://developers.openai.com/api/docs/guides/tools-tool-search
 */
const documented = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|\d\d)(?!.*(?:nano|chat))/;

export function hasAdditionalTools(model: string): boolean {
  return documented.test(model);
}

/** Definitions follow the result, so its text does not repeat them. */
export const foundAsTools: NativeToolSearch = {
  definitionOptions: {},
  takes: takesSchema,
  result: ({ tools, more }) => {
    const names = tools.map(({ name }) => name).join(", ");
    return { output: { type: "text", value: `Found, and yours to call by name: ${names}.\n${more}` } };
  },
};

/**
 * Placed after a message's results; the tools "become available only after that item appears". Requests declare no
 * other deferred tool, so the cache before the item stays valid.
 * https://developers.openai.com/api/docs/guides/tools-tool-search#add-tools-at-a-specific-point-in-the-input
 */
export function additionalTools({
  messages,
  lookedUp,
}: Pick<ModelRequest, "messages" | "lookedUp">): ReadonlyMap<MessagePart, SharedV4ProviderOptions> {
  const options = new Map<MessagePart, SharedV4ProviderOptions>();
  if (lookedUp === undefined) return options;
  const before = new Set<string>();
  for (const { role, parts } of messages) {
    if (role !== "tool") continue;
    const results = parts.filter((part) => part.type === "tool-result");
    const found = results.flatMap(({ toolCallId }) => lookedUp.found.get(toolCallId)?.tools ?? []);
    const definitions = found.flatMap(({ name, description, inputSchema }) => {
      if (before.has(name)) return [];
      before.add(name);
      return [{ type: "function", name, description, parameters: JSON.parse(JSON.stringify(inputSchema)) }];
    });
    const last = results.at(-1);
    if (last === undefined || definitions.length === 0) continue;
    options.set(last, { openai: { additionalTools: definitions } });
  }
  return options;
}
