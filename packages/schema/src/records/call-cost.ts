import type { ModelPrices } from "../model/model-prices.ts";
import type { Usage } from "../model/usage.ts";

const tokensOfPrice = 1_000_000;

/** What the cost of a call cannot be computed without. */
export type MissingForCost = "price" | "token counts" | "input tokens" | "output tokens";

export type CallCost =
  | {
      readonly kind: "known";
      readonly usd: number;
      /** An upper bound: the vendor did not report what it read from its cache, which costs less than other input. */
      readonly isAtMost: boolean;
    }
  | { readonly kind: "unknown"; readonly missing: MissingForCost };

/**
 * Computes what one call cost, in US dollars.
 *
 * - A cost that the vendor reports itself precedes the price list; a reported 0 counts only where no price is known.
 * - A model that is free costs 0, whatever was counted.
 * - Cache reads and cache writes that the vendor did not report are a part of the input, at its price. Where the list has a
 *   lower price for reads, the result is an upper bound.
 */
export function callCost(known: ModelPrices | null | undefined, usage: Usage | null): CallCost {
  const reported = usage?.costUsd;
  if (reported !== undefined && (reported > 0 || known === null || known === undefined))
    return { kind: "known", usd: reported, isAtMost: false };
  if (known === null || known === undefined) return { kind: "unknown", missing: "price" };
  if (isFree(known)) return { kind: "known", usd: 0, isAtMost: false };
  const input = inputUsd(known, usage);
  const outputTokens = usage?.outputTokens ?? null;
  if (input === undefined)
    return { kind: "unknown", missing: outputTokens === null ? "token counts" : "input tokens" };
  if (outputTokens === null) return { kind: "unknown", missing: "output tokens" };
  const usd = input.usd + (outputTokens * input.prices.output) / tokensOfPrice;
  return { kind: "known", usd, isAtMost: input.isAtMost };
}

/** US dollars of one call, as `callCost`; `null`: not known. */
export function callCostUsd(known: ModelPrices | null | undefined, usage: Usage | null): number | null {
  const cost = callCost(known, usage);
  return cost.kind === "known" ? cost.usd : null;
}

export interface InputUsd {
  readonly usd: number;
  /** As if nothing had been read from a cache or written to one. */
  readonly withoutCache: number;
  readonly isAtMost: boolean;
  /** The list that holds for an input of this length. */
  readonly prices: Omit<ModelPrices, "longInput">;
}

/** Computes what the input of one call cost by the price list, by the rule of `callCost`; `undefined`: it was not counted. */
export function inputUsd(known: ModelPrices, usage: Usage | null): InputUsd | undefined {
  const inputTokens = usage?.inputTokens ?? null;
  if (usage === null || inputTokens === null) return undefined;
  const { longInput } = known;
  const prices = longInput !== undefined && inputTokens > longInput.aboveTokens ? longInput : known;
  const readTokens = usage.cacheReadTokens ?? 0;
  const writtenTokens = usage.cacheWriteTokens ?? 0;
  const readPrice = prices.cacheRead ?? prices.input;
  const plainTokens = Math.max(0, inputTokens - readTokens - writtenTokens);
  const sum =
    plainTokens * prices.input + readTokens * readPrice + writtenTokens * (prices.cacheWrite ?? prices.input);
  return {
    usd: sum / tokensOfPrice,
    withoutCache: (inputTokens * prices.input) / tokensOfPrice,
    isAtMost: usage.cacheReadTokens === null && inputTokens > 0 && readPrice < prices.input,
    prices,
  };
}

/** Says whether a model takes nothing for anything. */
export function isFree({ longInput, ...prices }: ModelPrices): boolean {
  const lists = longInput === undefined ? [prices] : [prices, longInput];
  return lists.every(
    ({ input, output, cacheRead, cacheWrite }) =>
      input === 0 && output === 0 && (cacheRead ?? 0) === 0 && (cacheWrite ?? 0) === 0,
  );
}
