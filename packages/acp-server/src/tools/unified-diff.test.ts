import { expect, test } from "bun:test";
import { parseUnifiedDiff } from "./unified-diff.ts";

test("parseUnifiedDiff returns both texts of each hunk, also without a final line feed", () => {
  const text =
    "--- src/a b.txt\n+++ src/a b.txt\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+X\n+c\n\\ No newline at end of file\n@@ -9 +9,2 @@\n-i\n+i\n+j\n";

  expect(parseUnifiedDiff(text)).toEqual({
    path: "src/a b.txt",
    hunks: [
      { oldText: "a\nb\nc\n", newText: "a\nX\nc" },
      { oldText: "i\n", newText: "i\nj\n" },
    ],
  });
});

test("parseUnifiedDiff treats a file's line that looks like a header as content", () => {
  const text = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n @@ -1,1 +1,1 @@\n--- b\n+++ b\n";

  expect(parseUnifiedDiff(text)?.hunks).toEqual([
    { oldText: "@@ -1,1 +1,1 @@\n-- b\n", newText: "@@ -1,1 +1,1 @@\n++ b\n" },
  ]);
});

test("parseUnifiedDiff returns undefined for other text and for a truncated diff", () => {
  expect(parseUnifiedDiff('"a" is a new file')).toBeUndefined();
  expect(parseUnifiedDiff("--- a\n+++ a\n@@ -1,3 +1,3 @@\n a\n-b")).toBeUndefined();
  expect(parseUnifiedDiff("--- a\n+++ a\n")).toBeUndefined();
});
