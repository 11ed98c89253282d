import { expect, test } from "bun:test";
import fc from "fast-check";
import { fold, unfoldRange } from "./find-in-text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });

test("fold() maps each character independently", () => {
  const everyLetter = Array.from({ length: 0x3_00_00 }, (_, code) => String.fromCodePoint(code)).filter((letter) =>
    letter.isWellFormed(),
  );
  const groups = Array.from({ length: 256 }, (_, first) => everyLetter.filter((_letter, at) => at % 256 === first));

  for (const letters of groups) expect(fold(letters.join(""))).toBe(letters.map(fold).join(""));
  fc.assert(
    fc.property(anyText, anyText, (one, other) => {
      expect(fold(one + other)).toBe(fold(one) + fold(other));
    }),
  );
});

test("unfoldRange() returns the original range, also in a long text", () => {
  const text = `${"ﬁ\u{1F9A6}é".repeat(5_000)}Straße${"İ".repeat(5_000)}`;
  const folded = fold(text);
  const start = folded.indexOf("strasse");

  const whole = unfoldRange(text, { start, end: start + "strasse".length });
  const half = unfoldRange(text, { start: start + "stras".length, end: start + "strass".length });
  const behind = unfoldRange(text, { start: folded.length - 1, end: folded.length });

  expect(text.slice(whole.start, whole.end)).toBe("Straße");
  expect(text.slice(half.start, half.end)).toBe("ß");
  expect(behind).toEqual({ start: text.length - 1, end: text.length });
});

test("unfoldRange() counts surrogate pairs as one character, also in a long text", () => {
  for (const begin of ["", "a"]) {
    const text = `${begin}${"\u{1D573}".repeat(5_000)}Straße\u{D800}`;
    const folded = fold(text);
    const start = folded.indexOf("strasse");

    const found = unfoldRange(text, { start, end: start + "strasse".length });
    const last = unfoldRange(text, { start: folded.length - 1, end: folded.length });

    expect(folded.length).toBe(begin.length + 5_000 + "strasse".length + 1);
    expect(text.slice(found.start, found.end)).toBe("Straße");
    expect(last).toEqual({ start: text.length - 1, end: text.length });
  }
});

test("[attack:bounds-search-marks] fold() stays fast for unsorted accents", () => {
  const marked = (count: number): string => `a${"\u0315\u0300".repeat(count)}b`;
  const tookMs = (work: () => unknown): number => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  };
  // Sorting takes quadratic time: ten times the marks take a hundred times as long.
  const tenthMs = tookMs(() => marked(10_000).normalize("NFKD"));

  expect(fold(marked(100_000))).toBe("ab");
  const allMs = [1, 2, 3].map(() => tookMs(() => fold(marked(100_000))));
  expect(Math.min(...allMs)).toBeLessThan(tenthMs);
});
