import type { Usage } from "@incipit/schema";
import * as z from "zod";

const count = z.number().nullish().catch(null);
const rawUsageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  /** DeepSeek's name for what others call `cached_tokens`, and for the rest of the prompt. */
  prompt_cache_hit_tokens: count,
  prompt_cache_miss_tokens: count,
});

/** From what the vendor sent: the packages give 0 also for what was not reported, which is `null` here. */
export function toUsage(raw: unknown): Usage {
  const parsed = rawUsageSchema.safeParse(raw ?? {});
  if (!parsed.success)
    return { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = parsed.data;
  const { prompt_cache_hit_tokens, prompt_cache_miss_tokens } = parsed.data;
  const reasoningTokens = parsed.data.completion_tokens_details?.reasoning_tokens;
  const both =
    typeof prompt_cache_hit_tokens === "number" && typeof prompt_cache_miss_tokens === "number"
      ? prompt_cache_hit_tokens + prompt_cache_miss_tokens
      : null;
  return {
    inputTokens: prompt_tokens ?? both,
    outputTokens: completion_tokens ?? null,
    cacheReadTokens: details?.cached_tokens ?? prompt_cache_hit_tokens ?? null,
    cacheWriteTokens: details?.cache_write_tokens ?? null,
    ...(typeof reasoningTokens === "number" ? { reasoningTokens } : {}),
  };
}
