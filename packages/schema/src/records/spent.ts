import * as z from "zod";
import type { Step } from "../calls/step.ts";
import { callCost } from "./call-cost.ts";
import { lazySchema } from "../values/lazy-schema.ts";

const usdRule = "must be a number of US dollars, more than 0 and at most 1,000,000";
const tokensRule = "must be a whole number of tokens, from 1 on";

/** A limit in US dollars, such as a daily one. */
export const maxUsdPerDaySchema = z.number(usdRule).positive(usdRule).max(1_000_000, usdRule);
/** A daily limit of input and output tokens. */
export const maxTokensPerDaySchema = z.int(tokensRule).min(1, tokensRule);

/** Usage and cost of model calls. */
export const spentSchema = lazySchema(() =>
  z.object({
    /** Input and output, as far as reported. */
    tokens: z.int().nonnegative(),
    /** US dollars at the prices of the time. */
    usd: z.number().nonnegative().default(0),
    /** Calls without a known price or sufficient usage; not included in `usd`. */
    unpriced: z.int().nonnegative().default(0),
    /** `usd` is an upper bound because cache reads or usage were not reported for a call. */
    isAtMost: z.literal(true).exactOptional(),
  }),
);
export type Spent = z.output<typeof spentSchema>;

export const nothingSpent: Spent = { tokens: 0, usd: 0, unpriced: 0 };

export function addSpent(one: Spent, other: Spent): Spent {
  return {
    tokens: Math.min(one.tokens + other.tokens, Number.MAX_SAFE_INTEGER),
    usd: one.usd + other.usd,
    unpriced: one.unpriced + other.unpriced,
    ...(one.isAtMost === true || other.isAtMost === true ? { isAtMost: true } : {}),
  };
}

/** Returns usage and cost of a call as reported by the vendor, or the host's estimate. */
export function spentOfCall(call: Pick<Step, "prices" | "usage" | "estimatedUsage">): Spent {
  const { prices, usage, estimatedUsage } = call;
  const cost = callCost(prices, usage);
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  if (cost.kind === "unknown" && estimatedUsage !== undefined) {
    const estimated = callCost(prices, { ...estimatedUsage, cacheReadTokens: null, cacheWriteTokens: null });
    if (estimated.kind === "known") return { tokens, usd: estimated.usd, unpriced: 0, isAtMost: true };
  }
  if (cost.kind === "unknown") return { tokens, usd: 0, unpriced: 1 };
  return { tokens, usd: cost.usd, unpriced: 0, ...(cost.isAtMost ? { isAtMost: true } : {}) };
}
