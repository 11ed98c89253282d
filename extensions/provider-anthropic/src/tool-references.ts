import type { VendorLookup } from "@incipit/ai-sdk-provider";
import { takesSchema } from "./takes-schema.ts";

/**
 * Models that the vendor lists for tool search, and those that its list does not have yet: Sonnet 5, which "supports the same set
 * of features as Claude Sonnet 4.6", Fable and Mythos 5.2, Sonnet 5.5 and Haiku 5.5. The rule: "Claude Opus 4.1 and earlier models
 * don't support the tool search tool." A model that is not named here gets its tools as text.
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
 * A search of the host's own, whose result names tools that stand in the request and not in the model's context: the vendor puts
 * their definitions where they are named, and the cache of what comes before holds.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#custom-tool-search-implementation
 *
 * A result has the names alone: beside a text the vendor refuses them ("Tool definitions/code execution functions cannot be mixed
 * with other content"), and a text behind the results makes models end their turn:
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#empty-responses-with-end-turn
 */
export const toolReferences: VendorLookup = {
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
