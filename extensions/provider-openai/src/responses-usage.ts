import type { Usage } from "@incipit/schema";
import * as z from "zod";

const count = z.number().nullish().catch(null);
const rawUsageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(null),
});

/** The package reports 0 for missing counts, which are `null` here. */
export function toResponsesUsage(raw: unknown): Usage {
  const parsed = rawUsageSchema.safeParse(raw ?? {});
  const { input_tokens, output_tokens, input_tokens_details: details } = parsed.data ?? {};
  const reasoningTokens = parsed.data?.output_tokens_details?.reasoning_tokens;
  return {
    inputTokens: input_tokens ?? null,
    outputTokens: output_tokens ?? null,
    cacheReadTokens: details?.cached_tokens ?? null,
    cacheWriteTokens: details?.cache_write_tokens ?? null,
    ...(typeof reasoningTokens === "number" ? { reasoningTokens } : {}),
  };
}
