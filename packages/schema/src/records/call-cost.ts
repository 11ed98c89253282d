import type { ModelPrices } from "../model/model-prices.ts";
import type { Usage } from "../model/usage.ts";

const tokensOfPrice = 1_000_000;

/** Data missing for computing a cost. */
export type MissingForCost = "price" | "token counts" | "input tokens" | "output tokens";

export type CallCost =
  | {
      readonly kind: "known";
      readonly usd: number;
      /** An upper bound: the vendor did not report cache reads, which cost less than other input. */
      readonly isAtMost: boolean;
    }
  | { readonly kind: "unknown"; readonly missing: MissingForCost };

/**
 * Computes the cost of a call in US dollars.
 *
 * - A cost reported by the vendor takes precedence over the price list; a reported 0 counts only if no price is
 *   known.
 * - A free model costs 0 for any usage.
 * - Unreported cache reads and writes count as regular input. If the list has a lower price for reads, the result
 *   is an upper bound.
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

/** Like `callCost`, in US dollars; `null` if unknown. */
export function callCostUsd(known: ModelPrices | null | undefined, usage: Usage | null): number | null {
  const cost = callCost(known, usage);
  return cost.kind === "known" ? cost.usd : null;
}

export interface InputUsd {
  readonly usd: number;
  /** Without any cache reads or writes. */
  readonly withoutCache: number;
  readonly isAtMost: boolean;
  /** Price list for this input length. */
  readonly prices: Omit<ModelPrices, "longInput">;
}

/**
 * Computes the input cost of a call from the price list, by the rules of `callCost`; `undefined` if input was not
 * counted.
 */
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

/** Whether all prices of a model are 0. */
export function isFree({ longInput, ...prices }: ModelPrices): boolean {
  const lists = longInput === undefined ? [prices] : [prices, longInput];
  return lists.every(
    ({ input, output, cacheRead, cacheWrite }) =>
      input === 0 && output === 0 && (cacheRead ?? 0) === 0 && (cacheWrite ?? 0) === 0,
  );
}
