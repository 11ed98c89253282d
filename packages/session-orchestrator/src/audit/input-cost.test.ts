import type { ModelPrices, Usage } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { inputCost } from "./input-cost.ts";

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

test("inputCost takes the price of long input for all of a call that has more tokens than that, and for no other", () => {
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
