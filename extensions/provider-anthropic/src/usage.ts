import type { Usage } from "@incipit/schema";
import * as z from "zod";

/** Below 0 is `unreported`: see message-events.ts. */
const count = z.number().min(0).nullish().catch(null);
const rawUsageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
});

/** The vendor's `input_tokens` exclude cached input; ours include it. */
export function toUsage(raw: unknown): Usage {
  const { data } = rawUsageSchema.safeParse(raw ?? {});
  const uncached = data?.input_tokens ?? null;
  const cacheReadTokens = data?.cache_read_input_tokens ?? null;
  const cacheWriteTokens = data?.cache_creation_input_tokens ?? null;
  return {
    inputTokens: uncached === null ? null : uncached + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: data?.output_tokens ?? null,
    cacheReadTokens,
    cacheWriteTokens,
  };
}
