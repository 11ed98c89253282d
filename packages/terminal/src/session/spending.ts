import { callCost, type CallCost, type MissingForCost, type ModelFacts, type Usage } from "@incipit/schema";

/** What several model calls came to. */
export interface Spent {
  /** US dollars of those of which the price is known. */
  readonly usd: number;
  /** The others, such as one that was stopped before the vendor counted. */
  readonly unpriced: number;
  /** What the last of them lacks for a price. */
  readonly missing?: MissingForCost;
  /** `usd` is an upper bound. */
  readonly isAtMost?: true;
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
  const cost = callCost(facts?.prices, usage);
  return {
    turn: withPrice(before.turn, cost),
    all: withPrice(before.all, cost),
    usage: usage.inputTokens === null ? before.usage : usage,
  };
}

/** Adds the call of a compaction: it belongs to the turn in the middle of which it was, and says nothing about the window. */
export function withCompaction(
  before: Spending,
  usage: Usage,
  { facts, isOfTurn }: { readonly facts: ModelFacts | null | undefined; readonly isOfTurn: boolean },
): Spending {
  const cost = callCost(facts?.prices, usage);
  return {
    ...before,
    turn: isOfTurn ? withPrice(before.turn, cost) : before.turn,
    all: withPrice(before.all, cost),
  };
}

export function withPrice(before: Spent, cost: CallCost): Spent {
  return cost.kind === "unknown"
    ? { ...before, unpriced: before.unpriced + 1, missing: cost.missing }
    : { ...before, usd: before.usd + cost.usd, ...(cost.isAtMost ? { isAtMost: true } : {}) };
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
