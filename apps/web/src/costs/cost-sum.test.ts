import type { Cost } from "@incipit/schema";
import { expect, test } from "bun:test";
import { sumOf, sumsBy } from "./cost-sum.ts";

/** Distinct powers of two, so that no two figures can be confused. */
const one: Cost = {
  day: "2026-01-01",
  model: "a/b",
  conversation: null,
  calls: 1,
  broken: 2,
  tokens: { input: 4, cacheRead: 8, output: 16 },
  unreported: 32,
  usd: { total: 64, wasted: 128 },
  unpriced: 256,
};
const { day: _, model: __, conversation: ___, ...figures } = one;

test("sumOf adds each figure separately", () => {
  expect(sumOf([one, one, one])).toEqual({
    calls: 3,
    broken: 6,
    tokens: { input: 12, cacheRead: 24, output: 48 },
    unreported: 96,
    usd: { total: 192, wasted: 384 },
    unpriced: 768,
  });
});

test("sumsBy adds entries with equal names, such as a day split between pages", () => {
  const names = { key: ({ day }: Cost) => day, name: ({ day }: Cost) => day };

  const sums = sumsBy([one, { ...one, day: "2026-01-02" }, one], names);

  expect(sums.map(({ name, calls }) => [name, calls])).toEqual([
    ["2026-01-01", 2],
    ["2026-01-02", 1],
  ]);
  expect(sums[1]).toEqual({ name: "2026-01-02", ...figures });
});
