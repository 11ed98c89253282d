import type { Usage } from "@incipit/schema";

/**
 * What a vendor reported, whatever it sent: what it did not report is `null`, for 0 would say that it cost nothing; so is a
 * count that is none.
 */
export function chatUsage(raw: unknown): Usage {
  const usage = fieldsOf(raw);
  const prompt = fieldsOf(usage["prompt_tokens_details"]);
  const completion = fieldsOf(usage["completion_tokens_details"]);
  // DeepSeek's name for what others call `cached_tokens`, and for the rest of the prompt.
  const hit = numberOf(usage["prompt_cache_hit_tokens"]);
  const miss = numberOf(usage["prompt_cache_miss_tokens"]);
  const both = hit === undefined || miss === undefined ? undefined : hit + miss;
  const reasoningTokens = whole(numberOf(completion["reasoning_tokens"]));
  return {
    inputTokens: whole(numberOf(usage["prompt_tokens"]) ?? both),
    outputTokens: whole(numberOf(usage["completion_tokens"])),
    cacheReadTokens: whole(numberOf(prompt["cached_tokens"]) ?? hit),
    cacheWriteTokens: whole(numberOf(prompt["cache_write_tokens"])),
    ...(reasoningTokens === null ? {} : { reasoningTokens }),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function whole(count: number | undefined): number | null {
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
