import { expect, test } from "bun:test";
import { linesOfWords } from "./lines-of-words.ts";

test("linesOfWords wraps at words, keeps indents, and leaves fitting, marked and unbreakable lines", () => {
  const long = "a".repeat(30);

  expect(linesOfWords("one two three four\n  five six seven eight nine\n", 12)).toBe(
    "one two\nthree four\n  five six\n  seven\n  eight nine\n",
  );
  expect(linesOfWords(`see ${long} there`, 12)).toBe(`see ${long}\nthere`);
  expect(linesOfWords("exactly 12ab and more", 12)).toBe("exactly 12ab\nand more");
  expect(linesOfWords("│ somebody else has said so", 12)).toBe("│ somebody else has said so");
  expect(linesOfWords("> one two three\n  -> four five six", 12)).toBe(
    "> one two\n  three\n  -> four\n     five\n     six",
  );
  expect(linesOfWords("it  fits", 12)).toBe("it  fits");
  expect(linesOfWords("漢字 漢字 漢字", 10)).toBe("漢字 漢字\n漢字");
});
