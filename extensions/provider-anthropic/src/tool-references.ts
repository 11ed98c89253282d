import { plainSchemas } from "@incipit/provider-kit";
import type { NativeToolSearch } from "@incipit/provider-kit/ai-sdk";
import type { ToolDefinition } from "@incipit/schema";

/** "input_schema does not support oneOf, allOf, or anyOf at the top level" */
const notAtTop = ["oneOf", "allOf", "anyOf"] as const;

/**
 * One invalid schema rejects the whole request, which hundreds of third-party tools make likely. A tool wrongly
 * refused here is only described as text.
 * "tools.N.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12
 * (https://json-schema.org/draft/2020-12)."
 */
export function takesSchema(tool: Pick<ToolDefinition, "inputSchema">): boolean {
  return notAtTop.every((key) => !(key in tool.inputSchema)) && plainSchemas(tool) !== undefined;
}

/**
 * Models that the vendor lists for tool search, and newer ones that its list lacks: Sonnet 5, which "supports the
 * same set of features as Claude Sonnet 4.6", Fable and Mythos 5.2, Sonnet 5.5 and Haiku 5.5. The rule: "Claude
 * Opus 4.1 and earlier models don't support the tool search tool." Other models get tools as text.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#model-compatibility
 * https://platform.claude.com/docs/en/about-claude/models/migration-guide
 * https://platform.claude.com/docs/en/models/sonnet-5-5/whats-new-sonnet-5-5#feature-support
 */
const documented =
  /^claude-(?:(?:opus-4-[5-8]|sonnet-4-[56]|haiku-4-5)(?:-\d{8})?|(?:opus|sonnet)-5(?:-5)?|haiku-5-5|(?:fable|mythos)-5(?:-[12])?)$/;

export function hasToolReferences(model: string): boolean {
  return documented.test(model);
}

/**
 * Client-side tool search: its result references deferred tools of the request. The vendor inserts their
 * definitions at the result, so the cache before it stays valid.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#custom-tool-search-implementation
 * A result holds only references: the vendor rejects them next to text ("Tool definitions/code execution functions
 * cannot be mixed with other content"), and text after results makes models end their turn:
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#empty-responses-with-end-turn
 */
export const toolReferences: NativeToolSearch = {
  definitionOptions: { anthropic: { deferLoading: true } },
  takes: takesSchema,
  result: ({ tools }) => ({
    output: {
      type: "content",
      value: tools.map(({ name: toolName }) => ({
        type: "custom",
        providerOptions: { anthropic: { type: "tool-reference", toolName } },
      })),
    },
  }),
};
