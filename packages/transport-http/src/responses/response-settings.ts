import { isGiven } from "@incipit/common";
import type { ModelSettings, ToolDefinition } from "@incipit/schema";
import type { ResponseRequest } from "@incipit/transport-contract";
import { assertTool, checkSchema, toolsOf } from "../calls/client-tools.ts";
import { invalidField } from "../calls/invalid-field.ts";

export function toResponseTools({ tools }: ResponseRequest): readonly ToolDefinition[] {
  return toolsOf(
    (tools ?? []).flatMap((tool, index) => {
      if (tool.type !== "function") return [];
      const { name, description, parameters: inputSchema } = tool;
      const field = `tools.${index}`;
      return [{ name, description, inputSchema, nameField: `${field}.name`, schemaField: `${field}.parameters` }];
    }),
  );
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
    assertTool(tools, name, "tool_choice.name");
    return { name };
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
