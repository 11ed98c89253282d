import { isGiven } from "@incipit/common";
import type { ModelSettings, ToolDefinition } from "@incipit/schema";
import type { ResponseRequest } from "@incipit/transport-contract";
import { checkSchema } from "../calls/check-schema.ts";
import { invalidField } from "../calls/invalid-field.ts";

/** Sorted by name for stable prompt caching. */
export function toResponseTools({ tools }: ResponseRequest): readonly ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const [index, tool] of (tools ?? []).entries()) {
    if (tool.type !== "function") continue;
    const { name, description, parameters } = tool;
    if (byName.has(name)) throw invalidField(`tools.${index}.name`, `"${name}" is the name of another tool`);
    const inputSchema = parameters ?? { type: "object", properties: {} };
    checkSchema(`tools.${index}.parameters`, inputSchema);
    byName.set(name, { name, description: description ?? "", inputSchema });
  }
  return [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
}

export function toResponseSettings(request: ResponseRequest, tools: readonly ToolDefinition[]): ModelSettings {
  const { temperature, top_p: topP, max_output_tokens: maxOutputTokens } = request;
  const reasoningEffort = request.reasoning?.effort;
  const toolChoice = toToolChoice(request, tools);
  const responseFormat = toResponseFormat(request);
  return {
    ...(isGiven(temperature) ? { temperature } : {}),
    ...(isGiven(topP) ? { topP } : {}),
    ...(isGiven(maxOutputTokens) ? { maxOutputTokens } : {}),
    ...(isGiven(reasoningEffort) ? { reasoningEffort } : {}),
    ...(isGiven(toolChoice) ? { toolChoice } : {}),
    // OpenAI rejects it without tools; `true` is the default.
    ...(request.parallel_tool_calls === false && tools.length > 0 ? { parallelToolCalls: false } : {}),
    ...(isGiven(responseFormat) ? { responseFormat } : {}),
  };
}

function toToolChoice(
  { tool_choice: choice }: ResponseRequest,
  tools: readonly ToolDefinition[],
): ModelSettings["toolChoice"] {
  if (!isGiven(choice)) return undefined;
  if (typeof choice !== "string") {
    const { name } = choice;
    if (tools.some((tool) => tool.name === name)) return { name };
    throw invalidField("tool_choice.name", `"${name.slice(0, 100)}" is not a tool of this request`);
  }
  if (choice === "required" && tools.length === 0)
    throw invalidField("tool_choice", 'cannot be "required" without `tools`');
  return tools.length === 0 || choice === "auto" ? undefined : choice;
}

function toResponseFormat({ text }: ResponseRequest): ModelSettings["responseFormat"] {
  const format = text?.format;
  if (!isGiven(format) || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json" };
  const { name, schema, strict } = format;
  checkSchema("text.format.schema", schema);
  return { type: "json", name, schema, ...(strict === true ? { isStrict: true } : {}) };
}
