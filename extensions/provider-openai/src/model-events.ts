import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { FinishReason, ModelEvent, Usage } from "@incipit/service-contract";

/** The event of a part; `undefined` for parts that say nothing to the host. Errors are the caller's. */
export function toModelEvent(part: LanguageModelV4StreamPart): ModelEvent | undefined {
  switch (part.type) {
    case "text-start":
    case "text-end":
    case "reasoning-start":
    case "reasoning-end":
      return { type: part.type, partId: part.id };
    case "text-delta":
    case "reasoning-delta":
      return part.delta === "" ? undefined : { type: part.type, partId: part.id, text: part.delta };
    case "tool-input-start":
      return { type: "tool-call-start", toolCallId: part.id, name: part.toolName };
    case "tool-call":
      return { type: "tool-call", toolCallId: part.toolCallId, name: part.toolName, input: part.input };
    case "finish":
      return { type: "finish", usage: toUsage(part.usage), finishReason: toFinishReason(part.finishReason) };
    default:
      return undefined;
  }
}

/** The packages give 0 for what a vendor did not report: the raw object tells the two apart. */
function toUsage(usage: LanguageModelV4Usage): Usage {
  if (usage.raw === undefined)
    return { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  const raw = JSON.stringify(usage.raw);
  const isCacheReported = /"(cached_tokens|prompt_cache_hit_tokens)":\d/.test(raw);
  return {
    inputTokens: usage.inputTokens.total ?? null,
    outputTokens: usage.outputTokens.total ?? null,
    cacheReadTokens: isCacheReported ? (usage.inputTokens.cacheRead ?? null) : null,
    cacheWriteTokens: null,
  };
}

function toFinishReason({ unified }: LanguageModelV4FinishReason): FinishReason {
  return unified === "interrupted" ? "other" : unified;
}
