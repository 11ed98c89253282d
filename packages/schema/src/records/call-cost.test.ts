import type { ModelPrices } from "@incipit/schema";
import { expect, test } from "bun:test";
import { callCostUsd } from "./call-cost.ts";

const prices: ModelPrices = {
  input: 2,
  output: 10,
  cacheRead: 0.2,
  cacheWrite: null,
  longInput: { aboveTokens: 200_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: null },
};

test("callCostUsd() takes the price of long input for the whole call, as the vendor bills it", () => {
  const usage = { outputTokens: 1_000, cacheReadTokens: 100_000, cacheWriteTokens: null };

  const short = callCostUsd(prices, { ...usage, inputTokens: 200_000 });
  const long = callCostUsd(prices, { ...usage, inputTokens: 200_001 });

  expect(short).toBeCloseTo((100_000 * 2 + 100_000 * 0.2 + 1_000 * 10) / 1_000_000, 9);
  expect(long).toBeCloseTo((100_001 * 4 + 100_000 * 0.4 + 1_000 * 15) / 1_000_000, 9);
});

test("callCostUsd() guesses nothing: what was not counted has no price", () => {
  const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: null };

  expect(callCostUsd(prices, { ...usage, outputTokens: null })).toBeNull();
  expect(callCostUsd(prices, { ...usage, cacheReadTokens: null })).toBeNull();
  expect(callCostUsd(null, usage)).toBeNull();
  expect(callCostUsd(prices, null)).toBeNull();
});

test("callCostUsd() of a model that is free is nothing, whatever was counted", () => {
  const free: ModelPrices = { input: 0, output: 0, cacheRead: null, cacheWrite: null };

  expect(callCostUsd(free, null)).toBe(0);
  expect(callCostUsd({ ...free, cacheRead: 0 }, null)).toBe(0);
  expect(callCostUsd({ ...free, cacheWrite: 1 }, null)).toBeNull();
  expect(callCostUsd({ ...free, longInput: { ...free, input: 1, aboveTokens: 200_000 } }, null)).toBeNull();
});
