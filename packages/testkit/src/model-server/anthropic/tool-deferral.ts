import { anthropicRequestSchema, type AnthropicRequest } from "./anthropic-request.ts";
import { parseRequestJson } from "../wire/request-json.ts";

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#limits */
const maxDeferred = 10_000;

/**
 * The vendor's error message; `undefined` when valid.
 * - At least one tool is not deferred, and every reference in the history is to a declared tool:
 *   https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#error-handling
 * - A deferred tool has no breakpoint (…#prompt-caching), and there are at most 10,000 (…#limits).
 * - A result with references has nothing else; each schema is JSON Schema 2020-12 with plain property names and no
 *   choice at its top level: observed, but undocumented.
 */
export function deferralRefusal(body: string): string | undefined {
  const { data } = anthropicRequestSchema.safeParse(parseRequestJson(body)?.value);
  return data === undefined ? undefined : refusalOf(data);
}

function refusalOf({ tools = [], messages }: AnthropicRequest): string | undefined {
  const names = new Set(tools.map(({ name }) => name));
  const deferred = tools.filter(({ defer_loading }) => defer_loading === true);
  if (tools.length > 0 && deferred.length === tools.length)
    return "At least one tool must have defer_loading=false. All tools cannot be deferred.";
  const marked = deferred.find(({ cache_control }) => cache_control !== undefined);
  if (marked !== undefined)
    return `Tool '${marked.name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`;
  if (deferred.length > maxDeferred) return `tools: ${deferred.length} have defer_loading=true, not ${maxDeferred}`;
  for (const [index, { input_schema: schema }] of tools.entries()) {
    const problem = schemaProblem(schema);
    if (problem !== undefined) return `tools.${index}.custom.input_schema${problem}`;
  }
  for (const content of resultsOf(messages)) {
    const references = content.filter(({ type }) => type === "tool_reference");
    if (references.length > 0 && references.length < content.length)
      return "Tool definitions/code execution functions cannot be mixed with other content";
    const unknown = references.find(({ tool_name: name }) => typeof name !== "string" || !names.has(name));
    if (unknown !== undefined)
      return `Tool reference '${String(unknown["tool_name"])}' not found in available tools`;
  }
  return undefined;
}

function resultsOf(
  messages: AnthropicRequest["messages"],
): readonly (readonly { readonly [key: string]: unknown }[])[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.flatMap((block) =>
          block.type === "tool_result" && Array.isArray(block.content) ? [block.content] : [],
        ),
  );
}

/** Three of the vendor's checks. */
function schemaProblem(schema: Readonly<Record<string, unknown>>): string | undefined {
  if ("oneOf" in schema || "allOf" in schema || "anyOf" in schema)
    return ": input_schema does not support oneOf, allOf, or anyOf at the top level";
  if (/"exclusiveM(?:in|ax)imum":(?:true|false)/.test(JSON.stringify(schema)))
    return ": JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).";
  return Object.keys(schema["properties"] ?? {}).every((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key))
    ? undefined
    : ".properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'";
}
