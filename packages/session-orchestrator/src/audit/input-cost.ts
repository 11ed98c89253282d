import type { AuditedStep, Step } from "@incipit/schema";

const tokensOfPrice = 1_000_000;

/** What went into a model, in US dollars; nothing is guessed that the vendor or the catalogue does not say. */
export function inputCost({
  prices: known,
  usage,
  prefix,
}: Pick<Step, "prices" | "usage" | "prefix">): AuditedStep["inputUsd"] {
  const inputTokens = usage?.inputTokens ?? null;
  if (known === null || usage === null || inputTokens === null) return null;
  const { longInput } = known;
  const prices = longInput !== undefined && inputTokens > longInput.aboveTokens ? longInput : known;
  const usd = (tokens: number, price: number): number => (tokens * price) / tokensOfPrice;
  const withoutCache = usd(inputTokens, prices.input);
  // A vendor without a price for it has no cache, or takes nothing for it.
  const readTokens = usage.cacheReadTokens ?? (prices.cacheRead === null ? 0 : null);
  const writtenTokens = usage.cacheWriteTokens ?? (prices.cacheWrite === null ? 0 : null);
  if (readTokens === null || writtenTokens === null) return { billed: null, withoutCache, unbroken: null };
  const readPrice = prices.cacheRead ?? prices.input;
  const writePrice = prices.cacheWrite ?? prices.input;
  const plainTokens = Math.max(0, inputTokens - readTokens - writtenTokens);
  const billed = usd(readTokens, readPrice) + usd(writtenTokens, writePrice) + usd(plainTokens, prices.input);
  if (prefix === null || prefix.previousBytes === null || prefix.sizeBytes === 0)
    return { billed, withoutCache, unbroken: null };
  const readable = Math.round(inputTokens * Math.min(1, prefix.previousBytes / prefix.sizeBytes));
  const restPrice = writtenTokens > 0 ? writePrice : prices.input;
  return { billed, withoutCache, unbroken: usd(readable, readPrice) + usd(inputTokens - readable, restPrice) };
}
