import type { ModelPrices } from "@incipit/schema";
import { expect, test } from "bun:test";
import { callCost, callCostUsd } from "./call-cost.ts";

const prices: ModelPrices = {
  input: 2,
  output: 10,
  cacheRead: 0.2,
  cacheWrite: null,
  longInput: { aboveTokens: 200_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: null },
};

test("callCostUsd() applies the long-input price to the whole call, as vendors bill it", () => {
  const usage = { outputTokens: 1_000, cacheReadTokens: 100_000, cacheWriteTokens: null };

  const short = callCostUsd(prices, { ...usage, inputTokens: 200_000 });
  const long = callCostUsd(prices, { ...usage, inputTokens: 200_001 });

  expect(short).toBeCloseTo((100_000 * 2 + 100_000 * 0.2 + 1_000 * 10) / 1_000_000, 9);
  expect(long).toBeCloseTo((100_001 * 4 + 100_000 * 0.4 + 1_000 * 15) / 1_000_000, 9);
});

test("callCost() names the missing number", () => {
  const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: null };

  const missing = (...call: Parameters<typeof callCost>): unknown => callCost(...call);

  expect(missing(prices, { ...usage, outputTokens: null })).toEqual({ kind: "unknown", missing: "output tokens" });
  expect(missing(prices, { ...usage, inputTokens: null })).toEqual({ kind: "unknown", missing: "input tokens" });
  expect(missing(prices, null)).toEqual({ kind: "unknown", missing: "token counts" });
  expect(missing(null, usage)).toEqual({ kind: "unknown", missing: "price" });
  expect(callCostUsd(null, usage)).toBeNull();
});

test("callCost() counts unreported cache writes as other input", () => {
  const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 400, cacheWriteTokens: null };

  expect(callCost({ ...prices, cacheWrite: 2.5 }, usage)).toEqual({
    kind: "known",
    usd: expect.closeTo((600 * 2 + 400 * 0.2 + 100 * 10) / 1_000_000, 12),
    isAtMost: false,
  });
});

test("callCost() without reported cache reads is an upper bound where reads are cheaper", () => {
  const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: null, cacheWriteTokens: null };
  const full = expect.closeTo((1_000 * 2 + 100 * 10) / 1_000_000, 12);

  expect(callCost(prices, usage)).toEqual({ kind: "known", usd: full, isAtMost: true });
  expect(callCost({ ...prices, cacheRead: null }, usage)).toEqual({ kind: "known", usd: full, isAtMost: false });
  expect(callCost({ ...prices, cacheRead: 2 }, usage)).toEqual({ kind: "known", usd: full, isAtMost: false });
});

test("callCost() prefers the vendor's reported cost, and a reported 0 only without a price", () => {
  const usage = { inputTokens: 1_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: null };

  expect(callCostUsd(prices, { ...usage, costUsd: 0.5 })).toBe(0.5);
  expect(callCostUsd(null, { ...usage, costUsd: 0 })).toBe(0);
  expect(callCostUsd(prices, { ...usage, costUsd: 0 })).toBe(0.002);
});

test("callCostUsd() of a free model is 0 for any usage", () => {
  const free: ModelPrices = { input: 0, output: 0, cacheRead: null, cacheWrite: null };

  expect(callCostUsd(free, null)).toBe(0);
  expect(callCostUsd({ ...free, cacheRead: 0 }, null)).toBe(0);
  expect(callCostUsd({ ...free, cacheWrite: 1 }, null)).toBeNull();
  expect(callCostUsd({ ...free, longInput: { ...free, input: 1, aboveTokens: 200_000 } }, null)).toBeNull();
});
