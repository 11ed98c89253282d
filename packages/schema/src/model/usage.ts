import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** Token usage of a model call; `null` if not reported. */
export const usageSchema = lazySchema(() =>
  z.object({
    /** Total input, including cache reads and writes. */
    inputTokens: z.int().nullable(),
    /** Tokens of the reply; `null` if not reported. */
    outputTokens: z.int().nullable(),
    /** Input read from the vendor's cache; `null` if not reported. */
    cacheReadTokens: z.int().nullable(),
    /** Input written to the vendor's cache; `null` if not reported. */
    cacheWriteTokens: z.int().nullable(),
    /** Reasoning part of the output, if reported. */
    reasoningTokens: z.int().exactOptional(),
    /** Cost in US dollars as reported by the vendor. */
    costUsd: z.number().nonnegative().exactOptional(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** The host's estimate for a reply without reported usage; rounds up. */
export const estimatedUsageSchema = lazySchema(() =>
  z.object({
    /** Input tokens, estimated from its length. */
    inputTokens: z.int().nonnegative(),
    /** Output tokens until the end, estimated from their length. */
    outputTokens: z.int().nonnegative(),
  }),
);
export type EstimatedUsage = z.infer<typeof estimatedUsageSchema>;
