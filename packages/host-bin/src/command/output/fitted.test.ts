import { expect, test } from "bun:test";
import fc from "fast-check";
import { fitted, padded } from "./fitted.ts";

test("fitted counts columns and never splits a grapheme cluster", () => {
  expect(fitted("日本語のタイトル", 7)).toBe("日本語…");
  expect(fitted("日本語のタイトル", 8)).toBe("日本語…");
  expect(fitted("a👩‍👩‍👧‍👦b", 3)).toBe("a…");
  expect(fitted("a👩‍👩‍👧‍👦b", 4)).toBe("a👩‍👩‍👧‍👦b");
  expect(fitted("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
  expect(fitted("שלום עולם", 6)).toBe("שלום…");
});

test("fitted and padded return the requested width for any text", () => {
  const property = fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 30 }), (text, width) => {
    expect(Bun.stringWidth(fitted(text, width))).toBeLessThanOrEqual(width);
    expect(Bun.stringWidth(padded(text, width))).toBe(width);
  });
  fc.assert(property);
});
