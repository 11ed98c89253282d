import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { expect, test } from "bun:test";
import { Highlighter } from "../style/highlight.ts";
import { createStyle } from "../style/style.ts";
import { saidBlock } from "./message-blocks.ts";

const style = createStyle({ depth: 0, scheme: () => "dark" });
const looks = { style, highlighter: new Highlighter(style) };

function rowsOf(text: string, width = 60): readonly string[] {
  return saidBlock(text, looks)
    .render(width)
    .map((row) => stripTerminalSequences(row).trimEnd());
}

test("saidBlock shows HTML comments as text, and leaves code as it is", () => {
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
