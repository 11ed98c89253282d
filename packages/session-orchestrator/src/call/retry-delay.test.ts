import { expect, test } from "bun:test";
import { isTooLongToWait, retryDelayMs, waitText } from "./model-call.ts";

test("retryDelayMs doubles from 500 ms to a minute, with 25% jitter", () => {
  const delays = (at: number): readonly number[] =>
    [1, 2, 3, 7, 8, 100].map((attempt) => retryDelayMs(attempt, undefined, () => at));

  expect(delays(0.5)).toEqual([500, 1_000, 2_000, 32_000, 60_000, 60_000]);
  expect(delays(0)).toEqual([375, 750, 1_500, 24_000, 45_000, 45_000]);
  expect(delays(1)).toEqual([625, 1_250, 2_500, 40_000, 75_000, 75_000]);
});

test("retryDelayMs uses the vendor's delay, unless over a minute", () => {
  expect([0, 7_000, 60_000].map((askedMs) => retryDelayMs(3, askedMs))).toEqual([0, 7_000, 60_000]);
  expect([undefined, 0, 60_000, 60_001, 3_600_000].map(isTooLongToWait)).toEqual([false, false, false, true, true]);
  expect([61_000, 3_600_000, 7_200_000, 86_400_000, 604_800_000].map(waitText)).toEqual([
    "2 minutes",
    "60 minutes",
    "2 hours",
    "24 hours",
    "7 days",
  ]);
});
