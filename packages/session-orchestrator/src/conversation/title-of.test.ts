import { expect, test } from "bun:test";
import fc from "fast-check";
import { titleOf } from "./title-of.ts";

test("titleOf gives the first line that has text, without what is no text in it", () => {
  expect(titleOf("Mend the parser\nIt fails on tabs")).toBe("Mend the parser");
  expect(titleOf(" \r\n\u2028  a\tb \u0007 c  ")).toBe("a b c");
  expect(titleOf("half a pair: \ud83d.")).toBe("half a pair: \ufffd.");
  for (const none of ["", " \n\t\n", "\u0000"]) expect(titleOf(none)).toBeNull();
});

test("titleOf cuts at a word's end, and says that it did", () => {
  const words = "word ".repeat(30).trim();

  expect(titleOf("x".repeat(80))).toBe("x".repeat(80));
  expect(titleOf(words)).toBe(`${"word ".repeat(16).trim()}…`);
});

test("titleOf of a word that is too long cuts between characters", () => {
  const family = "👩‍👩‍👧";

  expect(titleOf(family.repeat(20))).toBe(`${family.repeat(9)}…`);
  expect(titleOf("x".repeat(1_000_000))).toBe(`${"x".repeat(79)}…`);
});

test("titleOf gives one line of at most 80 units, whatever the message", () => {
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
