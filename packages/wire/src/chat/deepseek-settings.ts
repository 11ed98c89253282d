import type { ReasoningEffort } from "@incipit/schema";
import type { ChatRequest } from "./chat-request.ts";

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
