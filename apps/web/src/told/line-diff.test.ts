import { expect, test } from "bun:test";
import { lineDiff } from "./line-diff.ts";

function sideOf(lines: readonly string[], sign: "-" | "+"): string {
  return lines
    .filter((line) => line.startsWith(" ") || line.startsWith(sign))
    .map((line) => line.slice(1))
    .join("\n");
}

test("lineDiff() returns no hunks for equal texts", () => {
  expect(lineDiff("a\nb", "a\nb")).toEqual({ hunks: [] });
});

test("lineDiff() returns changed lines with three lines of context", () => {
  const same = Array.from({ length: 9 }, (_, index) => `same ${index}`);

  expect(lineDiff([...same, "old", ...same].join("\n"), [...same, "new", "more", ...same].join("\n"))).toEqual({
    hunks: [
      {
        oldStart: 7,
        oldLines: 7,
        newStart: 7,
        newLines: 8,
        lines: [" same 6", " same 7", " same 8", "-old", "+new", "+more", " same 0", " same 1", " same 2"],
      },
    ],
  });
});

test("lineDiff() contains both texts completely, even beyond the size limit", () => {
  const large = Array.from({ length: 2_500 }, (_, index) => `line ${index}`).join("\n");
  for (const [before, after] of [
    ["", "a"],
    ["a\nb\nc", "c\nb\na"],
    ["x\na\nx\nb", "a\ny\nb\nx"],
    [`first\n${large}\nlast`, `another\n${large}\nend`],
  ] as const) {
    const lines = lineDiff(before, after).hunks.flatMap((hunk) => hunk.lines);

    expect([sideOf(lines, "-"), sideOf(lines, "+")]).toEqual([before, after]);
  }
});
