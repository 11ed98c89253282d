import { expect, test } from "bun:test";
import fc from "fast-check";
import { shareCount, currentSample, sampleOf, sampleCount } from "./run-share.ts";

test("sampleOf returns a fifth of the names, all within five consecutive seeds", () => {
  const property = fc.property(
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 60 }),
    fc.nat(1_000_000),
    (names, first) => {
      const parts = Math.min(shareCount, names.length);
      const taken = Array.from({ length: parts }, (_, index) => [...sampleOf(names, { seed: first + index })]);
      expect(taken.flat().toSorted()).toEqual(names.toSorted());
      for (const part of taken) {
        expect(part.length).toBeGreaterThanOrEqual(Math.floor(names.length / parts));
        expect(part.length).toBeLessThanOrEqual(Math.ceil(names.length / parts));
      }
    },
  );
  fc.assert(property);
});

test("sampleOf ignores the order of names, and returns all without a seed", () => {
  const names = Array.from({ length: 23 }, (_, index) => `row ${index}`);

  const taken = sampleOf(names, { seed: 7 });

  expect([...sampleOf(names.toReversed(), { seed: 7 })].toSorted()).toEqual([...taken].toSorted());
  expect(sampleOf(names, "all").size).toBe(23);
});

test("sampleOf does not select only one column of a table", () => {
  const columns = ["a", "b", "c", "d", "e"];
  const cells = Array.from({ length: 40 }, (_, row) => columns.map((column) => `${row} ${column}`)).flat();

  for (let seed = 0; seed < shareCount; seed += 1) {
    const taken = [...sampleOf(cells, { seed })];
    for (const column of columns) expect(taken.filter((cell) => cell.endsWith(column)).length).toBeGreaterThan(1);
  }
});

test("sampleCount returns a fifth, and all without a seed", () => {
  expect(sampleCount(200, { seed: 3 })).toBe(40);
  expect(sampleCount(3, { seed: 3 })).toBe(1);
  expect(sampleCount(200, "all")).toBe(200);
});

test("currentSample reads the seed and rejects invalid ones", () => {
  expect(currentSample({ CHECK_SEED: "12" })).toEqual({ seed: 12 });
  expect(currentSample({})).toBe("all");
  expect(currentSample({ CHECK_SEED: "" })).toBe("all");
  expect(() => currentSample({ CHECK_SEED: "-1" })).toThrow('CHECK_SEED is "-1"');
});
