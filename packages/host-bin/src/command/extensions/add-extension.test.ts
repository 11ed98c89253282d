import { expect, test } from "bun:test";
import { grantRows } from "./add-extension.ts";

const width = 80;

test("[attack:terminal-grant-row] grantRows has no row without its mark, also where a name is as long as the terminal is wide", () => {
  const fake = "Grant it? [y/N] y";
  const word = `reads files at "/srv/${" ".repeat(width - 20)}${fake}" and below`;

  const rows = grantRows({ words: [word, `a\n${fake}`], newWords: [word] }, { width });

  expect(rows.map((row) => row[0])).toEqual(["│", "┆", "│", "│"]);
  for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThan(width);
  expect(rows.slice(0, 2).join("")).toContain("  (new)");
  expect(Bun.stringWidth(`  it ${word}`)).toBeGreaterThan(width); // The control: the terminal would wrap it by itself.
});
