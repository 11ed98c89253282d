import { callCostUsd, type ModelFacts, type Usage } from "@incipit/schema";

/** What several model calls came to. */
export interface Spent {
  /** US dollars of those of which the price is known. */
  readonly usd: number;
  /** The others, such as one that was stopped before the vendor counted. */
  readonly unpriced: number;
}

/** What the model calls of a conversation came to, as far as this terminal has seen them. */
export interface Spending {
  /** The turn that ran last. */
  readonly turn: Spent;
  readonly all: Spent;
  /** What the newest call used that a vendor has counted. */
  readonly usage: Usage | undefined;
}

export const nothingSpent: Spent = { usd: 0, unpriced: 0 };
export const nothingSpentYet: Spending = { turn: nothingSpent, all: nothingSpent, usage: undefined };

export function withTurnBegun(before: Spending): Spending {
  return { ...before, turn: nothingSpent };
}

export function withCall(before: Spending, usage: Usage, facts: ModelFacts | null | undefined): Spending {
  const usd = callCostUsd(facts?.prices, usage);
  return {
    turn: withPrice(before.turn, usd),
    all: withPrice(before.all, usd),
    usage: usage.inputTokens === null ? before.usage : usage,
  };
}

/** @param usd `null`: nobody knows. */
export function withPrice({ usd: before, unpriced }: Spent, usd: number | null): Spent {
  return usd === null ? { usd: before, unpriced: unpriced + 1 } : { usd: before + usd, unpriced };
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
