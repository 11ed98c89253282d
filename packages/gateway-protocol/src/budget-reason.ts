import type { Spent } from "@incipit/schema";

interface Bound {
  /** `null`: no limit. */
  readonly max: number | null;
  /** Configuration key of the limit. */
  readonly key: string;
}

/** Returns why a daily limit is reached, or `undefined`. Mentions unpriced calls, which are in no sum. */
export function budgetReason(
  { tokens, usd, unpriced }: Spent,
  bounds: {
    /** Subject and auxiliary verb of the sentence, ending in "have" or "has". */
    readonly what: string;
    readonly tokens: Bound;
    readonly usd: Bound;
  },
): string | undefined {
  const { what } = bounds;
  if (bounds.tokens.max !== null && tokens >= bounds.tokens.max)
    return `${what} used ${tokens} tokens today, and ${bounds.tokens.key} allows ${bounds.tokens.max}; it goes on tomorrow`;
  if (bounds.usd.max === null || usd < bounds.usd.max) return undefined;
  const calls = unpriced === 1 ? "1 call has" : `${unpriced} calls have`;
  const beside = unpriced === 0 ? "" : ` (${calls} no known price, on top of that)`;
  return `${what} cost ${inDollars(usd)} today${beside}, and ${bounds.usd.key} allows ${inDollars(bounds.usd.max)}; it goes on tomorrow`;
}

/** Rounds to cents, and small amounts to two significant digits. */
function inDollars(usd: number): string {
  return usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
}
