import { expect, test } from "bun:test";
import type { Token } from "marked";
import { markdownParser } from "./markdown-parser.ts";

function textsOf(markdown: string, type: Token["type"]): readonly string[] {
  const found: string[] = [];
  void markdownParser.walkTokens(markdownParser.lexer(markdown), (token) => {
    if (token.type === type && "text" in token) found.push(String(token.text));
  });
  return found;
}

test("markdownParser emphasizes words next to CJK punctuation and letters", () => {
  for (const [markdown, strong] of [
    ["**重要**です", "重要"],
    ["これは**「強調」**です。", "「強調」"],
    ["请看**“这里”**的说明", "“这里”"],
    ["이것은 **중요(重要)**합니다", "중요(重要)"],
    ["これは**強調。**次の文", "強調。"],
    ["a **b** c", "b"],
  ] as const)
    expect(textsOf(markdown, "strong")).toEqual([strong]);
  expect(textsOf("`**重要**`です 2 ** 3 と 4 ** 5", "strong")).toEqual([]);
});

test("markdownParser strikes through between double tildes only", () => {
  expect(textsOf("First (~$1.50) and second (~$10), ~~gone~~", "del")).toEqual(["gone"]);
});

test("markdownParser ends a URL at CJK punctuation and at an enclosing bracket", () => {
  for (const [markdown, address] of [
    ["詳しくはhttps://example.com/a。次に", "https://example.com/a"],
    ["（https://example.com/a）を見て", "https://example.com/a"],
    ["「https://example.com/a」", "https://example.com/a"],
    ["见https://example.com/a，然后", "https://example.com/a"],
    ["(https://example.com/a)", "https://example.com/a"],
    ["(see https://example.com/a_(b)).", "https://example.com/a_(b)"],
    ["https://ja.example.org/wiki/東京、と", "https://ja.example.org/wiki/東京"],
    ["<https://example.com/a（b）>", "https://example.com/a（b）"],
  ] as const)
    expect([markdown, textsOf(markdown, "link")]).toEqual([markdown, [address]]);
});
