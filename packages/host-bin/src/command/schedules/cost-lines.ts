import type { UnattendedCost, UnattendedState } from "@incipit/schema";

type Spent = Pick<UnattendedCost, "tokens" | "usd" | "unpriced">;

/** `today  12,400 tokens  $0.031 of $2.50 (days of Europe/Berlin)` */
export function todayLine({ today, maxTokensPerDay, maxUsdPerDay, timeZone }: UnattendedState): string {
  const ofTokens = maxTokensPerDay === null ? "" : ` of ${maxTokensPerDay.toLocaleString("en-US")}`;
  const ofUsd = maxUsdPerDay === null ? "" : ` of $${maxUsdPerDay.toFixed(2)}`;
  const bound = maxTokensPerDay === null && maxUsdPerDay === null ? "; without a bound" : "";
  return `today  ${tokensOf(today)} tokens${ofTokens}  ${usdOf(today)}${ofUsd}${unpricedOf(today)}  (days of ${timeZone}${bound})`;
}

export function costLine(cost: UnattendedCost): string {
  const whose = cost.schedule ?? "(heartbeat)";
  return `${cost.day}  ${whose.padEnd(16)}  ${tokensOf(cost).padStart(11)} tokens  ${usdOf(cost)}${unpricedOf(cost)}`;
}

function tokensOf({ tokens }: Spent): string {
  return tokens.toLocaleString("en-US");
}

/** Four decimals below a cent, typical for a day of a small model. */
function usdOf({ usd }: Spent): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

function unpricedOf({ unpriced }: Spent): string {
  return unpriced === 0 ? "" : ` and ${unpriced} ${unpriced === 1 ? "call" : "calls"} without a price`;
}
