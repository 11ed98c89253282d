import type { ModelPrices, Usage } from "@incipit/schema";
import { expect, test } from "bun:test";
import { inputCost } from "./step-sum.ts";

const prices: ModelPrices = {
  input: 2,
  output: 10,
  cacheRead: 0.2,
  cacheWrite: 2.5,
  longInput: { aboveTokens: 200_000, input: 4, output: 15, cacheRead: 0.4, cacheWrite: 5 },
};

function usage(inputTokens: number, cacheReadTokens: number): Usage {
  return { inputTokens, outputTokens: 1, cacheReadTokens, cacheWriteTokens: 0 };
}

test("inputCost applies the long-input price to whole calls above the threshold", () => {
  expect(inputCost({ prices, usage: usage(200_000, 100_000), prefix: null })).toEqual({
    billed: 0.22,
    withoutCache: 0.4,
    unbroken: null,
  });
  expect(inputCost({ prices, usage: usage(200_001, 100_001), prefix: null })).toEqual({
    billed: expect.closeTo(0.44),
    withoutCache: expect.closeTo(0.8),
    unbroken: null,
  });
});

const prefix = {
  measure: "body",
  sizeBytes: 4_000,
  previousBytes: 3_000,
  sharedBytes: 1_000,
  difference: null,
  changes: [],
  promptReason: null,
} as const;

test("inputCost returns billed, uncached and unbroken costs", () => {
  const cost = inputCost({
    prices,
    usage: { inputTokens: 1_000, outputTokens: 1, cacheReadTokens: 200, cacheWriteTokens: 300 },
    prefix: { ...prefix, changes: [] },
  });

  expect(cost).toEqual({
    billed: expect.closeTo((200 * 0.2 + 300 * 2.5 + 500 * 2) / 1e6, 12),
    withoutCache: expect.closeTo((1_000 * 2) / 1e6, 12),
    unbroken: expect.closeTo((750 * 0.2 + 250 * 2.5) / 1e6, 12),
  });
});

test("inputCost returns null without prices or tokens, and an upper bound without cache reads", () => {
  const unread = { inputTokens: 1_000, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };
  const uncached = { ...prices, cacheRead: null, cacheWrite: null };

  expect(inputCost({ prices: null, usage: usage(1_000, 0), prefix: null })).toBeNull();
  expect(inputCost({ prices, usage: null, prefix: null })).toBeNull();
  expect(inputCost({ prices, usage: { ...unread, inputTokens: null }, prefix: null })).toBeNull();
  expect(inputCost({ prices, usage: unread, prefix: { ...prefix, changes: [] } })).toEqual({
    billed: 0.002,
    isAtMost: true,
    withoutCache: 0.002,
    unbroken: null,
  });
  expect(inputCost({ prices: uncached, usage: unread, prefix: null })).toEqual({
    billed: 0.002,
    withoutCache: 0.002,
    unbroken: null,
  });
});

test("inputCost uses the input price for unreported cache writes", () => {
  const unwritten = { inputTokens: 1_000, outputTokens: 1, cacheReadTokens: 200, cacheWriteTokens: null };

  expect(inputCost({ prices, usage: unwritten, prefix: null })).toEqual({
    billed: expect.closeTo((200 * 0.2 + 800 * 2) / 1e6, 12),
    withoutCache: 0.002,
    unbroken: null,
  });
});
