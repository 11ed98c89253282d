import { expect, test } from "bun:test";
import { toUsage } from "./anthropic-vendor.ts";

const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

test("toUsage returns null for missing or invalid counts and 0 for 0", () => {
  for (const raw of [undefined, "none", {}, { input_tokens: "many" }, { input_tokens: -1, output_tokens: -1 }])
    expect(toUsage(raw)).toEqual(unreported);
  expect(toUsage({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 })).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: null,
  });
});

test("toUsage includes cache reads and writes in the input", () => {
  expect(toUsage({ input_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 300 })).toEqual({
    ...unreported,
    inputTokens: 321,
    cacheReadTokens: 20,
    cacheWriteTokens: 300,
  });
});
