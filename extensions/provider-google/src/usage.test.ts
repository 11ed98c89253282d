import { expect, test } from "bun:test";
import { toUsage } from "./google-vendor.ts";

const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

test("toUsage returns null for missing counts", () => {
  for (const raw of [undefined, null, {}, "none", [], { promptTokenCount: "many" }])
    expect(toUsage(raw)).toEqual(unreported);
});

test("toUsage treats a missing count among others as 0, and cache writes as unreported", () => {
  expect(toUsage({ promptTokenCount: 7, totalTokenCount: 7 })).toEqual({
    inputTokens: 7,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: null,
  });
});

test("toUsage counts thoughts as output and tool prompts as input", () => {
  const raw = {
    promptTokenCount: 100,
    toolUsePromptTokenCount: 20,
    cachedContentTokenCount: 60,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 30,
    totalTokenCount: 155,
    trafficType: "ON_DEMAND",
  };
  expect(toUsage(raw)).toEqual({
    inputTokens: 120,
    outputTokens: 35,
    cacheReadTokens: 60,
    cacheWriteTokens: null,
    reasoningTokens: 30,
  });
});
