import { expect, test } from "bun:test";
import { retryDelayMs } from "./retry-delay.ts";

test("retryDelayMs is half a second, twice as long each time, a minute at most, and up to a quarter off", () => {
  const delays = (at: number): readonly number[] =>
    [1, 2, 3, 7, 8, 100].map((attempt) => retryDelayMs(attempt, undefined, () => at));

  expect(delays(0.5)).toEqual([500, 1_000, 2_000, 32_000, 60_000, 60_000]);
  expect(delays(0)).toEqual([375, 750, 1_500, 24_000, 45_000, 45_000]);
  expect(delays(1)).toEqual([625, 1_250, 2_500, 40_000, 75_000, 75_000]);
});

test("retryDelayMs is what the vendor asks for, a minute at most", () => {
  expect([0, 7_000, 60_000, 3_600_000].map((askedMs) => retryDelayMs(3, askedMs))).toEqual([
    0, 7_000, 60_000, 60_000,
  ]);
});
