import type { ToolDefinition, ModelSettings } from "@incipit/schema";
import { cacheMark } from "./chat-message.ts";
import type { ChatDialect, ChatRequest } from "./chat-request.ts";
import type { ChatRules } from "./chat-rules.ts";
import { deepseekSettings } from "./deepseek-settings.ts";
import { openaiJsonSchema } from "./openai-json-schema.ts";
import { openaiEffort, openaiModel } from "./openai-model.ts";

/** Before the tools, in byte order; omits `undefined` values. */
export function chatSettings(
  request: ChatRequest,
  dialect: ChatDialect,
  rules: ChatRules = {},
): Readonly<Record<string, unknown>> {
  const { settings = {} } = request;
  const choice = toolChoice(settings.toolChoice, dialect);
  const isChosen = rules.isToolChoiceWord === true && typeof choice === "object";
  return {
    model: request.model,
    ...vendorSettings(request, dialect, rules),
    tool_choice: request.tools.length === 0 ? undefined : isChosen ? "required" : choice,
    stream: true,
    stream_options: rules.refusesStreamOptions === true ? undefined : { include_usage: true },
    cache_control: rules.marksCache === true ? cacheMark : undefined,
  };
}

function vendorSettings(request: ChatRequest, dialect: ChatDialect, rules: ChatRules): object {
  if (dialect === "openai") return openaiSettings(request, request.settings ?? {});
  return rules.settings === "deepseek" ? deepseekSettings(request) : compatibleSettings(request, rules);
}

/** Reasoning models reject requests with unsupported settings. */
function openaiSettings({ model: name, conversationId, tools }: ChatRequest, settings: ModelSettings): object {
  const model = openaiModel(name);
  const effort = openaiEffort(model, settings.reasoningEffort, tools.length > 0);
  const isPlain = !model.isReasoning;
  const hasSampling = isPlain || (effort === "none" && model.hasSamplingWithoutReasoning);
  return {
    parallel_tool_calls: tools.length === 0 ? undefined : settings.parallelToolCalls,
    max_tokens: isPlain ? settings.maxOutputTokens : undefined,
    temperature: hasSampling && model.hasTemperature ? settings.temperature : undefined,
    top_p: hasSampling ? settings.topP : undefined,
    frequency_penalty: isPlain ? settings.frequencyPenalty : undefined,
    presence_penalty: isPlain ? settings.presencePenalty : undefined,
    response_format: responseFormat(settings.responseFormat, "openai"),
    stop: settings.stopSequences,
    seed: settings.seed,
    max_completion_tokens: isPlain ? undefined : settings.maxOutputTokens,
    reasoning_effort: effort,
    prompt_cache_key: conversationId,
  };
}

function compatibleSettings({ settings = {}, tools }: ChatRequest, { seedField = "seed" }: ChatRules): object {
  return {
    max_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
    response_format: responseFormat(settings.responseFormat, "compatible"),
    stop: settings.stopSequences,
    [seedField]: settings.seed,
    parallel_tool_calls: tools.length === 0 ? undefined : settings.parallelToolCalls,
    reasoning_effort: settings.reasoningEffort,
  };
}

/** A non-strict schema need not follow the vendor's rules for strict ones. */
function responseFormat(format: ModelSettings["responseFormat"], dialect: ChatDialect): object | undefined {
  if (format === undefined) return undefined;
  const { schema, name = "response", isStrict = false } = format;
  if (schema === undefined) return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { schema: schemaFor(schema, dialect), strict: isStrict, name },
  };
}

function toolChoice(choice: ModelSettings["toolChoice"], dialect: ChatDialect): unknown {
  if (typeof choice !== "object") return choice;
  if ("name" in choice) return toolNamed(choice.name);
  const { mode, allowed } = choice;
  return dialect === "openai"
    ? { type: "allowed_tools", allowed_tools: { mode, tools: allowed.map(toolNamed) } }
    : mode;
}

function toolNamed(name: string): object {
  return { type: "function", function: { name } };
}

/** For a choice among tools, compatible endpoints get only those. */
export function chatTools(
  { tools, settings }: ChatRequest,
  dialect: ChatDialect,
  { isToolChoiceWord = false }: ChatRules = {},
): readonly ToolDefinition[] {
  const choice = settings?.toolChoice;
  if (dialect === "openai" || typeof choice !== "object") return tools;
  if ("allowed" in choice) return tools.filter(({ name }) => choice.allowed.includes(name));
  return isToolChoiceWord ? tools.filter(({ name }) => name === choice.name) : tools;
}

export function chatTool({ name, description, inputSchema }: ToolDefinition, dialect: ChatDialect): string {
  const parameters = schemaFor(inputSchema, dialect);
  return JSON.stringify({ type: "function", function: { name, description, parameters } });
}

function schemaFor(schema: ToolDefinition["inputSchema"], dialect: ChatDialect): object {
  return dialect === "openai" ? openaiJsonSchema(schema) : schema;
}
