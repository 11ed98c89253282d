import type { ModelFacts } from "@incipit/schema";
import { expect, test } from "bun:test";
import { spentText } from "../status/amounts.ts";
import { nothingSpentYet, withCall, withCompaction, withTurnBegun } from "./spending.ts";

const facts: ModelFacts = {
  contextWindow: 100,
  maxOutputTokens: null,
  inputs: [],
  prices: { input: 1_000_000, output: 1_000_000, cacheRead: 100_000, cacheWrite: 1_250_000 },
  source: "a test",
};
const usage = { inputTokens: 40, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: null };

test("withCompaction() adds a requested compaction to the conversation, and one of a turn to both", () => {
  const called = withCall(withTurnBegun(nothingSpentYet), usage, facts);
  const compaction = { ...usage, inputTokens: 8 };

  const requested = withCompaction(called, compaction, { facts, isOfTurn: false });
  const ofTurn = withCompaction(called, compaction, { facts, isOfTurn: true });

  expect([requested.turn.usd, requested.all.usd]).toEqual([42, 52]);
  expect([ofTurn.turn.usd, ofTurn.all.usd]).toEqual([52, 52]);
  expect(requested.usage).toEqual(usage);
});

test("spentText() marks an upper bound and names a missing number", () => {
  const texts = [
    withCall(nothingSpentYet, usage, facts),
    withCall(nothingSpentYet, { ...usage, cacheReadTokens: null }, facts),
    withCall(nothingSpentYet, { ...usage, outputTokens: null }, facts),
    withCall(nothingSpentYet, usage, undefined),
    withCall(withCall(nothingSpentYet, usage, facts), { ...usage, outputTokens: null }, facts),
  ].map(({ all }) => spentText(all));

  expect(texts).toEqual(["$42.00", "≤ $42.00", "output tokens not reported", "price unknown", "over $42.00"]);
});
