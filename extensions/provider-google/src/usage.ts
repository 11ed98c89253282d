import type { Usage } from "@incipit/schema";
import * as z from "zod";

const count = z.number().nullish().catch(null);
/** https://ai.google.dev/api/generate-content#UsageMetadata */
const rawUsageSchema = z.object({
  promptTokenCount: count,
  toolUsePromptTokenCount: count,
  cachedContentTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  totalTokenCount: count,
});

/**
 * Protocol buffers omit zero counts from JSON (https://protobuf.dev/programming-guides/json), so once any count is
 * present, a missing one is 0. Cache writes are not counted.
 */
export function toUsage(raw: unknown): Usage {
  const { data } = rawUsageSchema.safeParse(raw ?? {});
  const reported = Object.values(data ?? {}).some((value) => typeof value === "number");
  if (data === undefined || !reported)
    return { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  return {
    inputTokens: (data.promptTokenCount ?? 0) + (data.toolUsePromptTokenCount ?? 0),
    outputTokens: (data.candidatesTokenCount ?? 0) + (data.thoughtsTokenCount ?? 0),
    cacheReadTokens: data.cachedContentTokenCount ?? 0,
    cacheWriteTokens: null,
    ...(typeof data.thoughtsTokenCount === "number" ? { reasoningTokens: data.thoughtsTokenCount } : {}),
  };
}
