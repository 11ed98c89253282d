import type { Spent } from "@incipit/schema";

/** What model calls came to, such as `1,200 tokens, $0.0060`; without a price where none is known. */
export function spentText({ tokens, usd, unpriced }: Spent): string {
  const price = unpriced === 0 || usd > 0 ? `, $${usd.toFixed(4)}` : "";
  return `${tokens.toLocaleString("en-US")} tokens${price}`;
}
