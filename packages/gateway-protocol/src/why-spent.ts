import type { Spent } from "@incipit/schema";

interface Bound {
  /** `null`: there is none. */
  readonly max: number | null;
  /** Who set it: the key of the configuration. */
  readonly key: string;
}

/** Why a day's bounds allow no more; `undefined`: they do. Calls without a price are said: they are in no sum of money. */
export function whySpent(
  { tokens, usd, unpriced }: Spent,
  bounds: {
    /** What has spent it, in words: the sentence begins with them, and end with "have" or "has". */
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

/** To the cent, and small sums to two digits that say something. */
function inDollars(usd: number): string {
  return usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
}
