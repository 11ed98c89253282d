import { Markdown } from "@earendil-works/pi-tui";
import { expect, test } from "bun:test";
import { createStyle } from "../style/style.ts";
import { markdownTheme } from "../style/widget-themes.ts";
import { withoutDeepQuotes } from "./shallow-quotes.ts";

const style = createStyle({ depth: 0, scheme: () => "dark" });

function drawn(text: string, width: number): readonly string[] {
  const theme = markdownTheme(style, (code) => code.split("\n"));
  return new Markdown(text, 0, 0, theme, undefined, { transform: withoutDeepQuotes }).render(width);
}

test("withoutDeepQuotes leaves quotations that have room as they are", () => {
  for (const text of ["> a\n>> b\n\n- > c", ">>>>>>> main", "1. > - > d", "a > b", "    > code", "- - - e"])
    expect(withoutDeepQuotes(text, 80)).toBe(text);
});

test("withoutDeepQuotes makes text of marks for which there is no room, whatever lists are between them", () => {
  const hostile = [
    ">".repeat(100),
    "> ".repeat(3_000),
    "> - ".repeat(200),
    "> 1. * ".repeat(200),
    ">\t- ".repeat(100),
  ];
  for (const width of [1, 10, 20, 80])
    for (const text of hostile) {
      const rows = drawn(`${text}x`, width);
      expect(rows.length).toBeLessThan(20 * text.length);
      expect(rows.join("")).toContain("x");
    }
});
