import { isToolAllowed } from "@incipit/schema";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { intersectAllowedTools } from "./intersect-tools.ts";

const name = fc.stringMatching(/^[ab_]{0,4}$/);
const entry = fc.oneof(
  name.filter((text) => text !== ""),
  name.map((text) => `${text}*`),
);
const allowed = fc.oneof(fc.constant(null), fc.array(entry, { maxLength: 6 }));

test("intersectAllowedTools allows exactly the tools that both allow, without duplicates", () => {
  const property = fc.property(allowed, allowed, fc.array(name, { minLength: 20 }), (one, other, names) => {
    const both = intersectAllowedTools(one, other);

    for (const tool of names)
      expect(isToolAllowed(both, tool)).toBe(isToolAllowed(one, tool) && isToolAllowed(other, tool));
    expect(new Set(both).size).toBe(both?.length ?? 0);
  });
  fc.assert(property, { numRuns: 1_000 });
});

test('intersectAllowedTools returns the other list for "all", and nothing for disjoint lists', () => {
  expect(intersectAllowedTools(null, null)).toBeNull();
  expect(intersectAllowedTools(null, ["git"])).toEqual(["git"]);
  expect(intersectAllowedTools(["files__*", "git"], ["files__read", "shell"])).toEqual(["files__read"]);
  expect(intersectAllowedTools(["git"], [])).toEqual([]);
  expect(intersectAllowedTools(["git"], ["shell"])).toEqual([]);
});
