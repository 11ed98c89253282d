import type { ModelPrices } from "../model/model-prices.ts";
import type { Usage } from "../model/usage.ts";

const tokensOfPrice = 1_000_000;

/**
 * Input and output of one call, in US dollars; `null`: a price is not known, or the vendor did not count. A model that is free
 * costs nothing, whatever was counted.
 */
export function callCostUsd(known: ModelPrices | null | undefined, usage: Usage | null): number | null {
  const { inputTokens = null, outputTokens = null } = usage ?? {};
  if (known === null || known === undefined) return null;
  if (isFree(known)) return 0;
  if (inputTokens === null || outputTokens === null) return null;
  const { longInput } = known;
  const prices = longInput !== undefined && inputTokens > longInput.aboveTokens ? longInput : known;
  // A vendor without a price for it has no cache, or takes nothing for it.
  const readTokens = usage?.cacheReadTokens ?? (prices.cacheRead === null ? 0 : null);
  const writtenTokens = usage?.cacheWriteTokens ?? (prices.cacheWrite === null ? 0 : null);
  if (readTokens === null || writtenTokens === null) return null;
  const plainTokens = Math.max(0, inputTokens - readTokens - writtenTokens);
  const usd =
    plainTokens * prices.input +
    readTokens * (prices.cacheRead ?? prices.input) +
    writtenTokens * (prices.cacheWrite ?? prices.input) +
    outputTokens * prices.output;
  return usd / tokensOfPrice;
}

/** Says whether a model takes nothing for anything. */
export function isFree({ longInput, ...prices }: ModelPrices): boolean {
  const lists = longInput === undefined ? [prices] : [prices, longInput];
  return lists.every(
    ({ input, output, cacheRead, cacheWrite }) =>
      input === 0 && output === 0 && (cacheRead ?? 0) === 0 && (cacheWrite ?? 0) === 0,
  );
}
