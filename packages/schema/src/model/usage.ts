import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** The tokens of one model call; `null`: the vendor did not report them. */
export const usageSchema = lazySchema(() =>
  z.object({
    /** All of the input, with what was read from the cache or written to it. */
    inputTokens: z.int().nullable(),
    outputTokens: z.int().nullable(),
    cacheReadTokens: z.int().nullable(),
    cacheWriteTokens: z.int().nullable(),
    /** The part of the output that was reasoning; absent: the vendor did not report it. */
    reasoningTokens: z.int().exactOptional(),
    /** US dollars that the vendor says it charges for the call; absent: it did not say. */
    costUsd: z.number().nonnegative().exactOptional(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** What a call took whose reply began and whose vendor did not count it, as the host estimates it: rather too much. */
export const estimatedUsageSchema = lazySchema(() =>
  z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
);
export type EstimatedUsage = z.infer<typeof estimatedUsageSchema>;
