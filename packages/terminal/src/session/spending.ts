import { callCostUsd, type ModelFacts, type Usage } from "@incipit/schema";

/** What the model calls of a conversation came to, as far as this terminal has seen them. */
export interface Spending {
  /** US dollars of the turn that ran last; `null`: the price of one of its calls is not known. */
  readonly turnUsd: number | null;
  readonly allUsd: number | null;
  /** What the newest call used. */
  readonly usage: Usage | undefined;
}

export const nothingSpentYet: Spending = { turnUsd: 0, allUsd: 0, usage: undefined };

export function withTurnBegun(before: Spending): Spending {
  return { ...before, turnUsd: 0 };
}

export function withCall(before: Spending, usage: Usage, facts: ModelFacts | null | undefined): Spending {
  const usd = callCostUsd(facts?.prices, usage);
  return { turnUsd: sum(before.turnUsd, usd), allUsd: sum(before.allUsd, usd), usage };
}

/** What one of which is not known is not known. */
export function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** How much of the window the newest call and its answer fill, from 0 to 1. */
export function windowShare({ usage }: Spending, facts: ModelFacts | null | undefined): number | undefined {
  const window = facts?.contextWindow ?? null;
  if (usage === undefined || window === null || usage.inputTokens === null) return undefined;
  return Math.min(1, (usage.inputTokens + (usage.outputTokens ?? 0)) / window);
}

/** How much of the newest call's input the vendor read from its cache, from 0 to 1. */
export function cachedShare({ usage }: Spending): number | undefined {
  if (usage === undefined || usage.cacheReadTokens === null || !usage.inputTokens) return undefined;
  return usage.cacheReadTokens / usage.inputTokens;
}
