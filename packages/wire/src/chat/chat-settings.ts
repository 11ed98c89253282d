import type { ToolDefinition, ModelSettings, ReasoningEffort } from "@incipit/schema";
import { cacheMark } from "./chat-message.ts";
import type { ChatDialect, ChatRequest, ChatRules } from "./chat-request.ts";
import { openaiJsonSchema } from "./openai-json-schema.ts";

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

/** Returns the tools of a request. For a choice among some tools, compatible endpoints get only those. */
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

const efforts = {
  minimal: "low",
  low: "low",
  medium: "high",
  high: "high",
  xhigh: "max",
} as const satisfies Record<Exclude<ReasoningEffort, "none">, string>;

/** Models that think by default. */
const thinks = /deepseek-(?:v[4-9]|flash|pro)/;

/**
 * DeepSeek's settings: https://api-docs.deepseek.com/api/create-chat-completion. Thinking models ignore sampling;
 * seed and penalties are not supported. A reply schema is sent as text: see `deepseekJsonText`.
 */
export function deepseekSettings({ model, settings = {} }: ChatRequest): object {
  const { reasoningEffort: effort } = settings;
  const isThinking = effort === undefined ? thinks.test(model) : effort !== "none";
  return {
    max_tokens: settings.maxOutputTokens,
    temperature: isThinking ? undefined : settings.temperature,
    top_p: isThinking ? undefined : settings.topP,
    response_format: settings.responseFormat === undefined ? undefined : { type: "json_object" },
    stop: settings.stopSequences,
    thinking: effort === undefined ? undefined : { type: isThinking ? "enabled" : "disabled" },
    reasoning_effort: effort === undefined || effort === "none" ? undefined : efforts[effort],
  };
}

/** Returns a system message that requests JSON, without which the API rejects `json_object`. */
export function deepseekJsonText({ settings }: Pick<ChatRequest, "settings">): string | undefined {
  const format = settings?.responseFormat;
  if (format === undefined) return undefined;
  return format.schema === undefined
    ? "Return JSON."
    : `Return JSON that conforms to the following schema: ${JSON.stringify(format.schema)}`;
}

type Effort = NonNullable<ModelSettings["reasoningEffort"]>;

interface OpenaiModel {
  readonly isReasoning: boolean;
  readonly hasSamplingWithoutReasoning: boolean;
  readonly hasTemperature: boolean;
  /** Rejects functions unless reasoning is disabled. */
  readonly hasFunctionsWithoutReasoningAlone: boolean;
  /** In ascending order. Defaults to any. */
  readonly efforts?: readonly Effort[];
}

const levels = ["minimal", "low", "medium", "high", "xhigh"] as const satisfies readonly Effort[];

/** GPT-6 models whose reasoning can be disabled. */
const withoutReasoning = new Set(["gpt-6.1-terra", "gpt-6-luna", "gpt-6-sol"]);
/** With known efforts: not pro, codex and chat. */
const standardVariant = /^(?:(?:mini|nano|sol|luna|terra)(?:-\d{4}-\d{2}-\d{2})?|\d{4}-\d{2}-\d{2})$/;

/** From OpenAI's naming scheme: https://platform.openai.com/docs/models */
function openaiModel(name: string): OpenaiModel {
  const [, gptMajor, gptMinor, variant] = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(name) ?? [];
  const major = gptMajor === undefined ? 0 : Number(gptMajor);
  const minor = gptMinor === undefined ? 0 : Number(gptMinor);
  const isChat = gptMinor === undefined && variant?.startsWith("chat") === true;
  const isConfigurable = withoutReasoning.has(name);
  const efforts = effortsOf({ major, minor, variant, isConfigurable });
  return {
    isReasoning: /^o\d+(?:-|$)/.test(name) || (major >= 5 && !isChat),
    hasSamplingWithoutReasoning: isConfigurable || (major === 5 && minor >= 1),
    hasTemperature: !name.startsWith("gpt-4o-search-preview") && !name.startsWith("gpt-4o-mini-search-preview"),
    hasFunctionsWithoutReasoningAlone: major === 5 && minor >= 6,
    ...(efforts === undefined ? {} : { efforts }),
  };
}

function effortsOf({
  major,
  minor,
  variant,
  isConfigurable,
}: {
  readonly major: number;
  readonly minor: number;
  readonly variant: string | undefined;
  readonly isConfigurable: boolean;
}): readonly Effort[] | undefined {
  if (isConfigurable) return ["none", "low", "medium", "high", "xhigh"];
  if (major >= 6) return ["low", "medium", "high", "xhigh"];
  if (major !== 5 || (variant !== undefined && !standardVariant.test(variant))) return undefined;
  if (minor === 0) return ["minimal", "low", "medium", "high"];
  if (minor === 1) return ["none", "low", "medium", "high"];
  return ["none", "low", "medium", "high", "xhigh"];
}

/** The nearest supported effort, lower before higher; never silently none. */
function openaiEffort(
  { efforts, hasFunctionsWithoutReasoningAlone }: OpenaiModel,
  asked: Effort | undefined,
  hasTools: boolean,
): Effort | undefined {
  if (hasFunctionsWithoutReasoningAlone && hasTools) return "none";
  if (asked === undefined || efforts === undefined) return asked;
  const at = levels.findIndex((level) => level === asked);
  const candidates = [asked, ...levels.slice(0, Math.max(at, 0)).toReversed(), ...levels.slice(at + 1)];
  return candidates.find((candidate) => efforts.includes(candidate));
}
