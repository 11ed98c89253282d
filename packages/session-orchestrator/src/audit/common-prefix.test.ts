import { expect, test } from "bun:test";
import fc from "fast-check";
import { commonPrefix } from "./compare-bodies.ts";

test("commonPrefix returns the length of the common prefix in units", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "🎉", "\uD83C"), maxLength: 30 });
  fc.assert(
    fc.property(text, text, text, (shared, restOfA, restOfB) => {
      const [a, b] = [shared + restOfA, shared + restOfB];
      let count = 0;
      while (count < Math.min(a.length, b.length) && a[count] === b[count]) count += 1;
      expect(commonPrefix(a, b)).toBe(count);
    }),
  );
});
