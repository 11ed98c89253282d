import { callCost, type CallCost, type MissingForCost, type ModelFacts, type Usage } from "@incipit/schema";

export interface Spent {
  readonly usd: number;
  /** Includes calls stopped before the provider reported usage. */
  readonly unpriced: number;
  readonly missing?: MissingForCost;
  readonly isAtMost?: true;
}

/** As far as this terminal has seen. */
export interface Spending {
  readonly turn: Spent;
  readonly all: Spent;
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

/** Belongs to the interrupted turn; does not affect the context window. */
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

export function windowShare({ usage }: Spending, facts: ModelFacts | null | undefined): number | undefined {
  const window = facts?.contextWindow ?? null;
  if (usage === undefined || window === null || usage.inputTokens === null) return undefined;
  return Math.min(1, (usage.inputTokens + (usage.outputTokens ?? 0)) / window);
}

export function cachedShare({ usage }: Spending): number | undefined {
  if (usage === undefined || usage.cacheReadTokens === null || !usage.inputTokens) return undefined;
  return usage.cacheReadTokens / usage.inputTokens;
}
