import { expect, test } from "bun:test";
import { chatUsage } from "./chat-usage.ts";

const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

test("chatUsage returns null for unreported counts, and 0 for a reported 0", () => {
  expect(chatUsage(undefined)).toEqual(unreported);
  expect(chatUsage({ prompt_tokens: 7 })).toEqual({ ...unreported, inputTokens: 7 });
  expect(
    chatUsage({ prompt_tokens: 7, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } }),
  ).toEqual({
    ...unreported,
    inputTokens: 7,
    outputTokens: 0,
    cacheReadTokens: 0,
  });
});

test("chatUsage reads cache reads in both formats, and cache writes", () => {
  expect(chatUsage({ prompt_cache_hit_tokens: 3 }).cacheReadTokens).toBe(3);
  expect(chatUsage({ prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 } })).toMatchObject({
    cacheReadTokens: 4,
    cacheWriteTokens: 5,
  });
});

test("chatUsage reads reasoning tokens if reported", () => {
  const raw = { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 7 } };
  expect(chatUsage(raw)).toEqual({ ...unreported, outputTokens: 9, reasoningTokens: 7 });
  for (const details of [null, {}, { reasoning_tokens: null }, { reasoning_tokens: "seven" }])
    expect(chatUsage({ completion_tokens: 9, completion_tokens_details: details })).toEqual({
      ...unreported,
      outputTokens: 9,
    });
});

test("chatUsage adds cache hits and misses if no total is reported", () => {
  const parts = { prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 4 };
  expect(chatUsage(parts)).toMatchObject({ inputTokens: 7, cacheReadTokens: 3 });
  expect(chatUsage({ ...parts, prompt_tokens: 8 }).inputTokens).toBe(8);
  expect(chatUsage({ prompt_cache_hit_tokens: 3 }).inputTokens).toBeNull();
});

test("chatUsage parses numeric strings, and derives a count from the total", () => {
  expect(chatUsage({ prompt_tokens: "7", completion_tokens: "2", total_tokens: "9" })).toMatchObject({
    inputTokens: 7,
    outputTokens: 2,
  });
  expect(chatUsage({ total_tokens: 9, completion_tokens: 2 })).toMatchObject({ inputTokens: 7, outputTokens: 2 });
  expect(chatUsage({ total_tokens: 9, prompt_tokens: 7 })).toMatchObject({ inputTokens: 7, outputTokens: 2 });
  expect(chatUsage({ total_tokens: 9 })).toEqual(unreported);
  expect(chatUsage({ total_tokens: 1, prompt_tokens: 7 }).outputTokens).toBeNull();
});

test("chatUsage reads the cost reported by OpenRouter and Perplexity in US dollars", () => {
  expect(chatUsage({ prompt_tokens: 7, cost: 0.0042 })).toMatchObject({ costUsd: 0.0042 });
  expect(
    chatUsage({ cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.2 } }).costUsd,
  ).toBeCloseTo(0.21);
  expect(chatUsage({ cost: 0.01, cost_details: { upstream_inference_cost: 0.2 } }).costUsd).toBe(0.01);
  expect(chatUsage({ cost: { total_cost: 0.006, input_tokens_cost: 0.001 } }).costUsd).toBe(0.006);
  for (const cost of [-1, null, "free", {}, Number.NaN]) expect(chatUsage({ cost })).toEqual(unreported);
});

test("chatUsage treats invalid counts as unreported, and keeps the rest", () => {
  expect(chatUsage({ prompt_tokens: "many", completion_tokens: 2, prompt_tokens_details: [] })).toEqual({
    ...unreported,
    outputTokens: 2,
  });
  expect(chatUsage("none")).toEqual(unreported);
});
