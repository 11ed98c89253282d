import { expect, test } from "bun:test";
import { createStyle } from "../style/style.ts";
import { numberedDiff, numberedRows } from "./numbered-diff.ts";

const diff = `--- a.sql
+++ a.sql
@@ -98,4 +98,4 @@
 select 1;
--- a comment that looks like a head
+++ another one
 select 2;
 select 3;
@@ -200,2 +200,1 @@
 select 4;
-select 5;
\\ No newline at end of file
`;
const style = createStyle({ depth: 0, scheme: () => "dark", isPlain: true });

test("numberedDiff numbers lines by the new file, and removed lines by the old one", () => {
  const told = numberedDiff(diff.trimEnd()).map(({ kind, number, text }) => [kind, number, text]);

  expect(told).toEqual([
    ["same", 98, " select 1;"],
    ["removed", 99, "--- a comment that looks like a head"],
    ["added", 99, "+++ another one"],
    ["same", 100, " select 2;"],
    ["same", 101, " select 3;"],
    ["gap", undefined, "…"],
    ["same", 200, " select 4;"],
    ["removed", 201, "-select 5;"],
    ["note", undefined, "\\ No newline at end of file"],
  ]);
});

test.each([30, 50, 80])("numberedRows wraps long lines to %d columns below themselves", (width) => {
  const long = `--- a\n+++ a\n@@ -9,1 +9,2 @@\n same\n+${"word ".repeat(30)}`;

  const rows = numberedRows(long, { style, width });

  expect(rows.slice(0, 2)).toEqual(["     9  same", expect.stringMatching(/^ {4}10 \+word word/)]);
  for (const row of rows.slice(2)) expect(row).toMatch(/^ {7}word/);
  expect(Math.max(...rows.map((row) => Bun.stringWidth(row)))).toBeLessThanOrEqual(width);
});
