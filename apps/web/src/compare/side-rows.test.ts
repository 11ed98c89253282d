import { expect, test } from "bun:test";
import fc from "fast-check";
import { sideRows } from "./side-rows.ts";

test("sideRows pairs changed lines", () => {
  expect(sideRows("a\nb\nc\nd", "a\nB\nC\nmore\nd")).toEqual([
    { left: "a", right: "a", isSame: true },
    { left: "b", right: "B", isSame: false },
    { left: "c", right: "C", isSame: false },
    { left: undefined, right: "more", isSame: false },
    { left: "d", right: "d", isSame: true },
  ]);
  expect(sideRows("a\nb", "a\nb")).toEqual([]);
});

test("sideRows keeps lines that only one text has", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
  const property = fc.property(text, text, (left, right) => {
    const rows = sideRows(left, right);
    const linesOf = (side: "left" | "right"): readonly string[] => rows.flatMap((row) => row[side] ?? []);
    if (left === right) return rows.length === 0;
    expect(left.split("\n").join("\n")).toContain(linesOf("left").join("\n"));
    expect(right.split("\n").join("\n")).toContain(linesOf("right").join("\n"));
    return rows.every((row) => row.isSame === (row.left === row.right));
  });
  fc.assert(property);
});
