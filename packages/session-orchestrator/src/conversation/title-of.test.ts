import { expect, test } from "bun:test";
import fc from "fast-check";
import { titleOf } from "./title-of.ts";

test("titleOf returns the first nonempty line without control characters", () => {
  expect(titleOf("Mend the parser\nIt fails on tabs")).toBe("Mend the parser");
  expect(titleOf(" \r\n\u2028  a\tb \u0007 c  ")).toBe("a b c");
  expect(titleOf("half a pair: \ud83d.")).toBe("half a pair: \ufffd.");
  for (const none of ["", " \n\t\n", "\u0000"]) expect(titleOf(none)).toBeNull();
});

test("titleOf truncates at a word boundary with an ellipsis", () => {
  const words = "word ".repeat(30).trim();

  expect(titleOf("x".repeat(80))).toBe("x".repeat(80));
  expect(titleOf(words)).toBe(`${"word ".repeat(16).trim()}…`);
});

test("titleOf truncates a long word between graphemes", () => {
  const family = "👩‍👩‍👧";

  expect(titleOf(family.repeat(20))).toBe(`${family.repeat(9)}…`);
  expect(titleOf("x".repeat(1_000_000))).toBe(`${"x".repeat(79)}…`);
});

test("titleOf returns one line of at most 80 units for any message", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (message) => {
      const title = titleOf(message) ?? "x";
      expect(title).toMatch(/^[^\p{Cc}\u2028\u2029]+$/u);
      expect(title.length).toBeLessThanOrEqual(80);
      expect(title.trim()).toBe(title);
      expect(title.isWellFormed()).toBe(true);
    }),
  );
});
