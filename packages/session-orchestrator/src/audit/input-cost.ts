import { inputUsd, type AuditedStep, type Step } from "@incipit/schema";

const tokensOfPrice = 1_000_000;

export function inputCost({
  prices: known,
  usage,
  prefix,
}: Pick<Step, "prices" | "usage" | "prefix">): AuditedStep["inputUsd"] {
  const inputTokens = usage?.inputTokens ?? null;
  const cost = known === null ? undefined : inputUsd(known, usage);
  if (cost === undefined || usage === null || inputTokens === null) return null;
  const { usd: billed, withoutCache, isAtMost, prices } = cost;
  const told = { billed, ...(isAtMost ? { isAtMost: true as const } : {}), withoutCache };
  if (isAtMost || prefix === null || prefix.previousBytes === null || prefix.sizeBytes === 0)
    return { ...told, unbroken: null };
  const usd = (tokens: number, price: number): number => (tokens * price) / tokensOfPrice;
  const readable = Math.round(inputTokens * Math.min(1, prefix.previousBytes / prefix.sizeBytes));
  const restPrice = (usage.cacheWriteTokens ?? 0) > 0 ? (prices.cacheWrite ?? prices.input) : prices.input;
  const readPrice = prices.cacheRead ?? prices.input;
  return { ...told, unbroken: usd(readable, readPrice) + usd(inputTokens - readable, restPrice) };
}
