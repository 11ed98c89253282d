import * as z from "zod";
import type { Step } from "../calls/step.ts";
import { callCost } from "./call-cost.ts";
import { lazySchema } from "../values/lazy-schema.ts";

const usdRule = "must be a number of US dollars, more than 0 and at most 1,000,000";
const tokensRule = "must be a whole number of tokens, from 1 on";

/** A bound in US dollars, such as that of a day. */
export const maxUsdPerDaySchema = z.number(usdRule).positive(usdRule).max(1_000_000, usdRule);
/** A bound of a day in input and output tokens. */
export const maxTokensPerDaySchema = z.int(tokensRule).min(1, tokensRule);

/** What model calls came to. */
export const spentSchema = lazySchema(() =>
  z.object({
    /** Input and output, as far as the vendor reports them. */
    tokens: z.int().nonnegative(),
    /** US dollars, at the prices that were known when they were sent. */
    usd: z.number().nonnegative().default(0),
    /** Calls of which no price is known, or too little was reported: they are not in `usd`. */
    unpriced: z.int().nonnegative().default(0),
    /** `usd` is an upper bound: of a call in it the vendor did not report what it read from its cache, or counted nothing. */
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

/** Returns what one model call came to: by what its vendor counted, else by what the host estimates. */
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
