import { maxSnippetLength } from "@incipit/schema";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { findInText, fold } from "./find-in-text.ts";
import { searchTerms } from "./search-conversations.ts";

function marked(text: string, query: string): string | null {
  const found = findInText(text, searchTerms(query));
  if (found === undefined) return null;
  let rest = 0;
  const pieces = found.ranges.map(({ start, end }) => {
    const piece = `${found.snippet.slice(rest, start)}[${found.snippet.slice(start, end)}]`;
    rest = end;
    return piece;
  });
  return pieces.join("") + found.snippet.slice(rest);
}

const table: readonly (readonly [text: string, query: string, result: string | null])[] = [
  ["Mend the Parser", "parser", "Mend the [Parser]"],
  ["Mend the Parser", "PARSE mend", "[Mend] the [Parse]r"],
  ["Mend the Parser", "mend lexer", null],
  ["Mend the Parser", '"the parser"', "Mend [the Parser]"],
  ["Mend the Parser", '"mend parser"', null],
  ["the\n  parser", '"the parser', "[the   parser]"],
  ["a.b (c", "A.B", "[a.b] (c"],
  ["ab", "a.b", null],
  ["Crème brûlée", "creme BRULEE", "[Crème] [brûlée]"],
  ["Creme brulee", "crème brûlée", "[Creme] [brulee]"],
  ["Cre\u0300me bru\u0302le\u0301e", "brulee", "Cre\u0300me [bru\u0302le\u0301e]"],
  ["cafe\u0301s", "cafe", "[cafe\u0301]s"],
  ["eﬃcient oﬃce", "efficient", "[eﬃcient] oﬃce"],
  ["oﬃce", "off", "[oﬃ]ce"],
  ["Straße", "STRASSE", "[Straße]"],
  ["STRASSE", "straße", "[STRASSE]"],
  ["GROẞ", "groß", "[GROẞ]"],
  ["İstanbul ısı", "istanbul", "[İstanbul] ısı"],
  ["İstanbul ısı", "ISI", "İstanbul [ısı]"],
  ["ΟΔΥΣΣΕΥΣ", "οδυσσεύς", "[ΟΔΥΣΣΕΥΣ]"],
  ["ｆｕｌｌ ｗｉｄｔｈ", "full", "[ｆｕｌｌ] ｗｉｄｔｈ"],
  ["an otter 🦦 swims", "🦦", "an otter [🦦] swims"],
  ["the 👩‍👩‍👧 here", "👧", "the [👩‍👩‍👧] here"],
  ["👍🏽 well", "👍", "[👍🏽] well"],
  ["한국어 text", "한국", "[한국]어 text"],
  ["日本語のテキスト", "テキスト", "日本語の[テキスト]"],
  ["aaaa aa", "aa", "[aa][aa] [aa]"],
  ["abcd", "bc abc", "[abc]d"],
  ["red\u001B[31m alarm", "alarm", "red [31m [alarm]"],
  ["", "a", null],
];

for (const [text, query, result] of table) {
  test(`findInText() of ${query} in ${JSON.stringify(text)}: ${result ?? "nothing"}`, () => {
    expect(marked(text, query)).toBe(result);
  });
}

test("findInText() returns the first match with surrounding words in a long text", () => {
  const far = `${"word ".repeat(100_000)}needle ${"word ".repeat(100_000)}needle`;
  const long = `${"x".repeat(500)}needle${"y".repeat(500)}`;

  expect(marked(far, "needle")).toMatch(/^(word ){9}\[needle\]( word)+ ?(w(ord?)?)?$/);
  expect(marked(long, "needle")).toMatch(/^x{47}\[needle\]y{107}$/);
  expect(marked(long, "xneedle yy")).toMatch(/^x*\[xneedle\](\[yy\])+y?$/);
});

test("findInText() ends a snippet at a grapheme boundary", () => {
  const family = "👩‍👩‍👧";

  expect(marked(`the needle ${family.repeat(50)}`, "needle")).toBe(`the [needle] ${family.repeat(18)}`);
  expect(marked(`${family.repeat(50)} needle`, "needle")).toBe("[needle]");
  expect(marked(`${family.repeat(50)}needle`, "needle")).toBe(`${family.repeat(5)}[needle]`);
  expect(marked(`needle${family.repeat(50)}`, "needle")).toBe(`[needle]${family.repeat(19)}`);
});

test("findInText() truncates a match or grapheme longer than the snippet", () => {
  const marks = `a${"\u0301".repeat(1_000)}b`;

  expect(findInText(`say ${"a".repeat(190)}`, searchTerms("a".repeat(190)))?.ranges).toEqual([
    { start: 4, end: 160 },
  ]);
  expect(findInText(marks, searchTerms("a"))).toEqual({
    snippet: marks.slice(0, 9).padEnd(160), // At most eight marks are shown; others are hidden characters.
    ranges: [{ start: 0, end: 160 }],
  });
  expect(findInText(`xyz${marks}`, searchTerms("a"))).toEqual({
    snippet: marks.slice(0, 9).padEnd(160),
    ranges: [{ start: 0, end: 160 }],
  });
  expect(marked(`${marks}c`, "bc")).toBe("[bc]");
});

test("findInText() returns valid snippets and ranges for any text and query", () => {
  const unit = fc.constantFrom("a", "b", " ", "\n", "ß", "e\u0301", "ﬁ", "İ", "👩‍👩‍👧", "🇩🇪", "\u0301", "\ud83d", "가");
  const text = fc.string({ unit, maxLength: 300 });
  fc.assert(
    fc.property(text, fc.string({ unit, minLength: 1, maxLength: 3 }), (around, query) => {
      const terms = searchTerms(query);
      fc.pre(terms.length > 0 && query.isWellFormed());
      const found = findInText(`${around}${query}`, terms);

      expect(found).toBeDefined();
      const { snippet = "", ranges = [] } = found ?? {};
      expect(snippet.length).toBeLessThanOrEqual(maxSnippetLength);
      expect(snippet.isWellFormed()).toBe(true);
      expect(ranges.length).toBeGreaterThan(0);
      let last = 0;
      for (const { start, end } of ranges) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(snippet.length);
      const [first] = ranges;
      const shown = fold(snippet.slice(first?.start, first?.end));
      expect(terms.some((term) => shown.search(term) !== -1)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("searchTerms() returns unique words and phrases, ignoring marks alone", () => {
  const sources = (query: string): readonly string[] => searchTerms(query).map(({ source }) => source);

  expect(sources('one "two three" ONE')).toHaveLength(2);
  for (const none of ["", " ", '""', '" "', '"', "\u0301"]) expect(sources(none)).toEqual([]);
});
