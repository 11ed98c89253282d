import { isGiven } from "@incipit/common";
import type { ModelSettings, ToolDefinition } from "@incipit/schema";
import type { ChatCompletionRequest } from "@incipit/transport-contract";
import { assertTool, checkSchema, toolsOf } from "../calls/client-tools.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { toVendorFields } from "./vendor-fields.ts";

export function toTools({ tools }: ChatCompletionRequest): readonly ToolDefinition[] {
  return toolsOf(
    (tools ?? []).map(({ function: { name, description, parameters: inputSchema } }, index) => {
      const field = `tools.${index}.function`;
      return { name, description, inputSchema, nameField: `${field}.name`, schemaField: `${field}.parameters` };
    }),
  );
}

export function toSettings(request: ChatCompletionRequest, tools: readonly ToolDefinition[]): ModelSettings {
  const {
    temperature,
    top_p: topP,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
  } = request;
  const { seed, stop, reasoning_effort: reasoningEffort } = request;
  const maxOutputTokens = request.max_completion_tokens ?? request.max_tokens;
  if (isGiven(request.max_tokens) && isGiven(request.max_completion_tokens))
    throw invalidField("max_tokens", "cannot be there with `max_completion_tokens`: leave it out");
  const toolChoice = toToolChoice(request, tools);
  const responseFormat = toResponseFormat(request);
  const vendorFields = toVendorFields(request);
  return {
    ...(isGiven(temperature) ? { temperature } : {}),
    ...(isGiven(topP) ? { topP } : {}),
    ...(isGiven(presencePenalty) ? { presencePenalty } : {}),
    ...(isGiven(frequencyPenalty) ? { frequencyPenalty } : {}),
    ...(isGiven(seed) ? { seed } : {}),
    // Some vendors reject an empty list.
    ...(isGiven(stop) && stop.length > 0 ? { stopSequences: typeof stop === "string" ? [stop] : stop } : {}),
    ...(isGiven(maxOutputTokens) ? { maxOutputTokens } : {}),
    ...(isGiven(reasoningEffort) ? { reasoningEffort } : {}),
    ...(isGiven(toolChoice) ? { toolChoice } : {}),
    // OpenAI rejects it without tools; `true` is the default.
    ...(request.parallel_tool_calls === false && tools.length > 0 ? { parallelToolCalls: false } : {}),
    ...(isGiven(responseFormat) ? { responseFormat } : {}),
    ...(isGiven(vendorFields) ? { vendorFields } : {}),
  };
}

function toToolChoice(
  { tool_choice: choice }: ChatCompletionRequest,
  tools: readonly ToolDefinition[],
): ModelSettings["toolChoice"] {
  if (!isGiven(choice)) return undefined;
  if (typeof choice !== "string" && choice.type === "function") {
    const { name } = choice.function;
    assertTool(tools, name, "tool_choice.function.name");
    return { name };
  }
  if (typeof choice !== "string") {
    const { mode, tools: given } = choice.allowed_tools;
    for (const [index, { function: tool }] of given.entries())
      assertTool(tools, tool.name, `tool_choice.allowed_tools.tools.${index}.function.name`);
    return { mode, allowed: [...new Set(given.map(({ function: tool }) => tool.name))].toSorted() };
  }
  if (tools.length > 0) return choice;
  if (choice === "required") throw invalidField("tool_choice", 'cannot be "required" without `tools`');
  return undefined;
}

function toResponseFormat({ response_format: format }: ChatCompletionRequest): ModelSettings["responseFormat"] {
  if (!isGiven(format) || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json" };
  const { name, schema, strict } = format.json_schema;
  if (isGiven(schema)) checkSchema("response_format.json_schema.schema", schema);
  return {
    type: "json",
    name,
    ...(isGiven(schema) ? { schema } : {}),
    ...(strict === true ? { isStrict: true } : {}),
  };
}
