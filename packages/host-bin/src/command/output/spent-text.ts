import type { Spent } from "@incipit/schema";

/** `1,200 tokens, $0.0060`; no price where unknown; `≤` marks an upper bound. */
export function spentText({ tokens, usd, unpriced, isAtMost }: Spent): string {
  const price = unpriced === 0 || usd > 0 ? `, ${isAtMost === true ? "≤ " : ""}$${usd.toFixed(4)}` : "";
  return `${tokens.toLocaleString("en-US")} tokens${price}`;
}
