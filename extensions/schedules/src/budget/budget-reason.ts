import type { Spent } from "@incipit/schema";
import type { DayLimit } from "./budget.ts";

/** Mentions unpriced calls, which are in no sum. */
export function budgetReason(
  { tokens, usd, unpriced }: Spent,
  bounds: Omit<DayLimit, "spendingId">,
): string | undefined {
  const { what } = bounds;
  if (bounds.tokens.max !== null && tokens >= bounds.tokens.max)
    return `${what} used ${tokens} tokens today, and ${bounds.tokens.key} allows ${bounds.tokens.max}; it goes on tomorrow`;
  if (bounds.usd.max === null || usd < bounds.usd.max) return undefined;
  const calls = unpriced === 1 ? "1 call has" : `${unpriced} calls have`;
  const beside = unpriced === 0 ? "" : ` (${calls} no known price, on top of that)`;
  return `${what} cost ${inDollars(usd)} today${beside}, and ${bounds.usd.key} allows ${inDollars(bounds.usd.max)}; it goes on tomorrow`;
}

/** Rounds small amounts to two significant digits. */
function inDollars(usd: number): string {
  return usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
}
