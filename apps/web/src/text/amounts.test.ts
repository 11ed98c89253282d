import { expect, test } from "bun:test";
import fc from "fast-check";
import { amounts } from "./amounts.ts";

test("shares add up to 100, stay close to exact, and never round to zero", () => {
  expect(amounts.shares([1, 1, 1])).toEqual(["34 %", "33 %", "33 %"]);
  expect(amounts.shares([999, 1])).toEqual(["99 %", "under 1 %"]);
  expect(amounts.shares([5])).toEqual(["100 %"]);
  expect(amounts.shares([0, 0])).toEqual(["0 %", "0 %"]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 2, maxLength: 20 }), (sizes) => {
      const total = sizes.reduce((sum, size) => sum + size, 0);
      fc.pre(sizes.every((size) => size / total >= 0.01 && size / total < 0.98));
      const percents = amounts.shares(sizes).map((text) => Number.parseInt(text, 10));
      expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
      for (const [index, percent] of percents.entries())
        expect(Math.abs(percent - ((sizes[index] ?? 0) / total) * 100)).toBeLessThan(1);
    }),
  );
});

test("ago formats an age in the largest fitting unit, and old times as a date", () => {
  const nowMs = Date.parse("2026-11-23T12:00:00.000Z");
  const ago = (ms: number): string => amounts.ago(new Date(nowMs - ms).toISOString(), nowMs);
  const minute = 60_000;

  expect([0, minute, 59 * minute, 60 * minute, 25 * 60 * minute].map(ago)).toEqual([
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "1 hour ago",
    "1 day ago",
  ]);
  expect(ago(-5 * minute)).toBe("just now");
  expect(ago(10 * 24 * 60 * minute)).toContain("2026");
  expect(amounts.ago("whenever", nowMs)).toBe("whenever");
});
