import type { ModelSettings, ToolDefinition } from "@incipit/schema";
import type { AnthropicMessageRequest, AnthropicTold } from "@incipit/transport-contract";
import { assertTool, checkSchema, toolsOf } from "../calls/client-tools.ts";
import { invalidField } from "../calls/invalid-field.ts";

/** Thinking tokens, for low and medium effort. */
const littleThinking = 4_096;
const someThinking = 16_384;

export function toMessageTools({ tools }: AnthropicTold): readonly ToolDefinition[] {
  return toolsOf(
    (tools ?? []).map(({ name, description, input_schema: inputSchema }, index) => {
      const field = `tools.${index}`;
      return { name, description, inputSchema, nameField: `${field}.name`, schemaField: `${field}.input_schema` };
    }),
  );
}

export function toMessageSettings(
  request: AnthropicMessageRequest,
  tools: readonly ToolDefinition[],
): ModelSettings {
  const { max_tokens: maxOutputTokens, temperature, top_p: topP, stop_sequences: stopSequences } = request;
  const topK = request.top_k;
  const toolChoice = toToolChoice(request, tools);
  const reasoningEffort = toEffort(request);
  const responseFormat = toResponseFormat(request);
  const isAlone = hasOneCallAtMost(request) && tools.length > 0;
  return {
    maxOutputTokens,
    ...(temperature === null || temperature === undefined ? {} : { temperature }),
    ...(topP === null || topP === undefined ? {} : { topP }),
    // A vendor field; vendors without it are not called.
    ...(topK === null || topK === undefined ? {} : { vendorFields: { top_k: topK } }),
    ...(stopSequences?.length ? { stopSequences } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(isAlone ? { parallelToolCalls: false } : {}),
    ...(responseFormat === undefined ? {} : { responseFormat }),
  };
}

function toToolChoice(
  { tool_choice: choice }: AnthropicTold,
  tools: readonly ToolDefinition[],
): ModelSettings["toolChoice"] {
  if (choice === null || choice === undefined) return undefined;
  if (choice.type === "tool") {
    const { name } = choice;
    assertTool(tools, name, "tool_choice.name");
    return { name };
  }
  if (choice.type === "any" && tools.length === 0)
    throw invalidField("tool_choice", 'cannot be of type "any" without `tools`');
  if (tools.length === 0) return undefined;
  return choice.type === "any" ? "required" : choice.type;
}

function toResponseFormat({ output_config: output }: AnthropicTold): ModelSettings["responseFormat"] {
  const { schema } = output?.format ?? {};
  if (schema === undefined) return undefined;
  checkSchema("output_config.format.schema", schema);
  return { type: "json", schema };
}

function hasOneCallAtMost({ tool_choice: choice }: AnthropicTold): boolean {
  return choice?.type !== "none" && choice?.disable_parallel_tool_use === true;
}

/**
 * Without a budget, the model decides: some clients request an effort for every model, and models without reasoning
 * reject it.
 */
function toEffort({ thinking, output_config: output }: AnthropicTold): ModelSettings["reasoningEffort"] {
  if (thinking?.type !== "enabled") return undefined;
  const effort = output?.effort;
  if (effort) return effort === "max" ? "xhigh" : effort;
  if (thinking.budget_tokens <= littleThinking) return "low";
  return thinking.budget_tokens <= someThinking ? "medium" : "high";
}
