import type { Usage } from "@incipit/schema";
import * as z from "zod";

/** Largest count of one call's tokens and bytes, and price: sums over calls stay whole numbers, and can be exported. */
export const maxCount = 1_000_000_000;

const countSchema = z.int().min(0).max(maxCount).nullable().catch(null);
const countsSchema = z.object({
  inputTokens: countSchema,
  outputTokens: countSchema,
  cacheReadTokens: countSchema,
  cacheWriteTokens: countSchema,
  reasoningTokens: countSchema,
});

/** What a vendor says that a call took, as whatever it is; a count that no call takes was not reported. */
export function countedUsage(usage: unknown): Usage {
  const counts = countsSchema.safeParse(usage).data ?? unreported;
  const { reasoningTokens, ...others } = counts;
  return reasoningTokens === null ? others : { ...others, reasoningTokens };
}

const unreported: z.infer<typeof countsSchema> = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};
