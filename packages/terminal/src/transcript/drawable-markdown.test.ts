import { Markdown } from "@earendil-works/pi-tui";
import { expect, test } from "bun:test";
import { createStyle } from "../style/style.ts";
import { markdownTheme } from "../style/widget-themes.ts";
import { countMarks, drawableMarkdown } from "./drawable-markdown.ts";
import { withoutNarrowTables } from "./narrow-tables.ts";

const style = createStyle({ depth: 0, scheme: () => "dark" });

function drawn(text: string, width: number): readonly string[] {
  const theme = markdownTheme(style, (code) => code.split("\n"));
  return new Markdown(text, 0, 0, theme, undefined, { transform: drawableMarkdown }).render(width);
}

const dense = "**a ".repeat(2_000);
const underscores = '"a_b_c": 1, '.repeat(300);
const bold = Array.from({ length: 500 }, (_, index) => `- **word ${index}** and _more_`).join("\n");
const rows = Array.from({ length: 500 }, (_, index) => `| **${index}** | ~~gone~~ |`).join("\n");

test("drawableMarkdown leaves drawable text and code unchanged", () => {
  for (const text of [
    "> a\n>> b\n\n- > c",
    ">>>>>>> main",
    "1. > - > d",
    "a > b",
    "    > code",
    "- - - e",
    bold,
    `| a | b |\n| --- | --- |\n${rows}`,
    `\`\`\`json\n${underscores}\n${">".repeat(60)}\n\`\`\`\n`,
    `~~~\n${dense}\n~~~`,
    `- one\n  - two\n\n     \`\`\`json\n     ${underscores}\n     \`\`\``,
    `> \`\`\`\n> ${underscores}\n> \`\`\``,
    `${"\\*".repeat(1_000)} **a**`,
  ])
    expect(drawableMarkdown(text, 80)).toBe(text);
});

test("drawableMarkdown escapes quotes too deep for the width, also inside lists", () => {
  const hostile = [
    ">".repeat(100),
    "> ".repeat(3_000),
    "> - ".repeat(200),
    "> 1. * ".repeat(200),
    ">\t- ".repeat(100),
    `${"- ".repeat(20)}${"> ".repeat(60)}`,
    `- \`\`\`a\`\n  ${"> ".repeat(100)}`,
    `${Array.from({ length: 20 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n")}\n${" ".repeat(40)}${"> ".repeat(30)}`,
  ];
  for (const width of [1, 10, 20, 80])
    for (const text of hostile) {
      const seen = drawn(`${text}x`, width);
      expect(seen.length).toBeLessThan(20 * text.length + 100);
      expect(seen.join("")).toContain("x");
    }
});

test("drawableMarkdown keeps 400 emphasis marks per paragraph and loses no text", () => {
  const short = "**a ".repeat(30);
  const hostile = [
    dense,
    `${dense}\n\n${dense}`,
    `\`\`\`x\`\`\` y\n${dense}`,
    Array.from({ length: 100 }, () => `| ${short}`).join("\n"),
    `a\n${Array.from({ length: 100 }, () => `2. ${short}`).join("\n")}`,
    `a\n${Array.from({ length: 100 }, () => `      - ${short}`).join("\n")}`,
    `a\n      \`\`\`\n${dense}`,
    `> a\n> ${dense}\n> ${dense}`,
    `- a\n\n  ${dense}`,
    `# ${dense}`,
  ];
  for (const text of hostile) {
    const changed = drawableMarkdown(text, 80);
    const isAsWritten = changed.startsWith("```\n") || changed.startsWith("````\n");
    expect(isAsWritten ? 0 : Math.max(...changed.split("\n\n").map(countMarks))).toBeLessThanOrEqual(400);
    expect(changed.replaceAll("\\", "").replaceAll(/\s/g, "")).toContain(
      text.replaceAll(/\s/g, "").slice(0, 7_000),
    );
  }
});

test("drawableMarkdown and withoutNarrowTables handle a block of a million words and marks", () => {
  const nested = Array.from({ length: 20 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n");
  const plain = `${nested} ${"`a ".repeat(1_000_000)}\n${" ".repeat(40)}${"> ".repeat(10)}x`;
  const table = `| a |\n| --- |\n| ${"b ".repeat(1_000_000)} |\n`;

  expect(drawableMarkdown(plain, 80) === `\`\`\`\n${plain}\n\`\`\`\n\n`).toBe(true);
  expect(withoutNarrowTables(table, 80) === table).toBe(true);
});
