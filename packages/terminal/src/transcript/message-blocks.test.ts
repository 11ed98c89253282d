import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { expect, test } from "bun:test";
import { Highlighter } from "../style/highlight.ts";
import { createStyle } from "../style/style.ts";
import { markdownBlock } from "./message-blocks.ts";

const style = createStyle({ depth: 0, scheme: () => "dark" });
const looks = { style, highlighter: new Highlighter(style) };

function rowsOf(text: string, width = 60): readonly string[] {
  return markdownBlock(text, looks)
    .render(width)
    .map((row) => stripTerminalSequences(row).trimEnd());
}

test("markdownBlock shows HTML comments as text and leaves code unchanged", () => {
  const rows = rowsOf(
    [
      "One <!-- inline --> and `<!-- span -->`.",
      "<!-- block\nof two rows -->",
      "- entry\n  <!-- in a list -->",
      "```html\n<!-- code -->\n```",
      "    <!-- indented -->",
      "\\<!-- escaped -->",
      "<!-- unclosed",
    ].join("\n\n"),
  );

  expect(rows.filter((row) => row !== "").map((row) => row.trim())).toEqual([
    "One <!-- inline --> and <!-- span -->.",
    "<!-- block",
    "of two rows -->",
    "- entry",
    "<!-- in a list -->",
    "```html",
    "<!-- code -->",
    "```",
    "```",
    "<!-- indented -->",
    "```",
    "<!-- escaped -->",
    "<!-- unclosed",
  ]);
});

const sided = [
  "| left | right | middle | none |",
  "| :-- | --: | :-: | --- |",
  "| a | 1 | x | y |",
  "| **bc** | 1,000 | 値 `z` | w |",
  "| some words that are wrapped | 7 | m | n |",
].join("\n");

test("markdownBlock aligns wrapped, wide and coloured table cells per the delimiter row", () => {
  for (const depth of [0, 16, 256] as const) {
    const coloured = createStyle({ depth, scheme: () => "dark" });
    const block = markdownBlock(sided, { style: coloured, highlighter: new Highlighter(coloured) });
    expect(block.render(48).map((row) => stripTerminalSequences(row))).toEqual([
      "┌──────────────────────┬───────┬────────┬──────┐",
      "│ left                 │ right │ middle │ none │",
      "├──────────────────────┼───────┼────────┼──────┤",
      "│ a                    │     1 │   x    │ y    │",
      "├──────────────────────┼───────┼────────┼──────┤",
      "│ bc                   │ 1,000 │  値 z  │ w    │",
      "├──────────────────────┼───────┼────────┼──────┤",
      "│ some words that are  │     7 │   m    │ n    │",
      "│ wrapped              │       │        │      │",
      "└──────────────────────┴───────┴────────┴──────┘",
    ]);
  }
});

test("markdownBlock emphasizes words next to CJK punctuation and ends links before it", () => {
  const coloured = createStyle({ depth: 16, scheme: () => "dark" });
  const drawn = (text: string): string =>
    markdownBlock(text, { style: coloured, highlighter: new Highlighter(coloured) })
      .render(80)
      .join("");
  for (const [text, strong] of [
    ["**重要**です", "重要"],
    ["これは**「強調」**です。", "「強調」"],
    ["请看**“这里”**的说明", "“这里”"],
    ["이것은 **중요(重要)**합니다", "중요(重要)"],
  ] as const)
    expect(drawn(text)).toContain(`\u001B[1m${strong}\u001B[22m`);
  for (const text of [
    "詳しくはhttps://example.com/a。次に",
    "（https://example.com/a）を見て",
    "(https://example.com/a)",
    "見てhttps://example.com/a、次",
  ])
    expect(drawn(text)).toContain("\u001B[4mhttps://example.com/a\u001B[24m");
});
