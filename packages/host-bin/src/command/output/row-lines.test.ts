import { expect, test } from "bun:test";
import { rowLines } from "./row-lines.ts";

test("[trial:tables-50] rowLines keeps a row that fits, and otherwise stacks its cells", () => {
  const row = "* acme  1,000  a description of many words";

  expect(rowLines(row, row.length)).toEqual([row]);
  expect(rowLines(row, 30)).toEqual(["* acme  1,000  a description", "    of many words"]);
  expect(rowLines(`  one${" ".repeat(20)}two`, 20)).toEqual(["  one  two"]);
});

test("[trial:tables-50] rowLines keeps ids, paths and quoted spaces intact", () => {
  const path = "/home/ada/work/a-folder-with-a-long-name/AGENTS.md";

  expect(rowLines(`[file:a]  ${path}  1 ms`, 30)).toEqual(["[file:a]", `    ${path}`, "    1 ms"]);
  expect(rowLines('  literal  default  "a  b" and more', 24)).toEqual([
    "  literal  default",
    '      "a  b" and more',
  ]);
});

test("[trial:tables-50] rowLines keeps the leading columns and aligns the rest to their right", () => {
  const path = "/home/ada/work/a-folder-with-a-long-name/AGENTS.md";

  expect(rowLines("title     a title of many words  (archived)", 26, 10)).toEqual([
    "title     a title of many",
    "          words",
    "          (archived)",
  ]);
  expect(rowLines(`       at ${path}`, 30, 7)).toEqual(["       at", `       ${path}`]);
  expect(rowLines("  0-58  literal  and more", 20, 6)).toEqual(["  0-58  literal", "      and more"]);
});

test("[trial:cjk-50] rowLines counts columns and breaks text without spaces between characters", () => {
  const lines = rowLines("* 獺  海獺海獺海獺海獺海獺海獺海獺海獺海獺海獺 🦦🦦🦦", 20);

  expect(lines.join("").replaceAll(" ", "")).toBe("*獺海獺海獺海獺海獺海獺海獺海獺海獺海獺海獺🦦🦦🦦");
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(20);
});
