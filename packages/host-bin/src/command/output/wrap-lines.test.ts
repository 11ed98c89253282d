import { expect, test } from "bun:test";
import { wrapLines } from "./wrap-lines.ts";

test("wrapLines wraps at words, keeps indents, and leaves fitting, marked and unbreakable lines", () => {
  const long = "a".repeat(30);

  expect(wrapLines("one two three four\n  five six seven eight nine\n", 12)).toBe(
    "one two\nthree four\n  five six\n  seven\n  eight nine\n",
  );
  expect(wrapLines(`see ${long} there`, 12)).toBe(`see ${long}\nthere`);
  expect(wrapLines("exactly 12ab and more", 12)).toBe("exactly 12ab\nand more");
  expect(wrapLines("│ somebody else has said so", 12)).toBe("│ somebody else has said so");
  expect(wrapLines("> one two three\n  -> four five six", 12)).toBe(
    "> one two\n  three\n  -> four\n     five\n     six",
  );
  expect(wrapLines("it  fits", 12)).toBe("it  fits");
  expect(wrapLines("漢字 漢字 漢字", 10)).toBe("漢字 漢字\n漢字");
});
