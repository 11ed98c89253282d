import { splitMarkdown as splitWith } from "@incipit/common";
import { splitQuirks } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatMarkdown } from "./format-markdown.ts";

function splitMarkdown(markdown: string, max: number): readonly string[] {
  return splitWith(markdown, { max, lengthOf: (part) => formatMarkdown(part).text.length });
}

for (const { id, does, markdown, max, mark } of splitQuirks)
  test(`splitMarkdown, quirk ${id}: ${does}`, () => {
    const parts = splitWith(markdown, { max }); // As written: another service may count the markup.
    const shown = parts.map((part) => formatMarkdown(part));

    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(max);
      expect(part.split(mark).length % 2).toBe(1);
    }
    expect(shown.filter(({ text }) => text.includes(mark))).toEqual([]);
    expect(words(shown.map(({ text }) => text).join(""))).toBe(words(formatMarkdown(markdown).text));
  });

test("splitMarkdown ends code with the part that holds its last words", () => {
  expect(splitMarkdown(`\`${"word ".repeat(12)}\` end`, 40)).toEqual([
    "`word word word word word word`",
    "`word word word word word word`",
    "end",
  ]);
});

test("splitMarkdown keeps unclosed marks and never cuts links", () => {
  const open = `2 * 3 ** 4 ${"word ".repeat(20)}**never`;
  const link = "[label](https://example.com/a)";

  expect(splitMarkdown(open, 40).join(" ")).toBe(open);
  expect(splitMarkdown(`${"word ".repeat(6)}${link} end`, 40)).toEqual([
    "word word word word word word",
    `${link} end`,
  ]);
});

test("splitMarkdown returns short text in one part and nothing for empty text", () => {
  expect(splitMarkdown("# a\n\n- b\n- c", 4_096)).toEqual(["# a\n\n- b\n- c"]);
  expect(splitMarkdown(" \n\t\n", 4_096)).toEqual([]);
});

test("splitMarkdown cuts between paragraphs, else lines, else words", () => {
  expect(splitMarkdown("one one\n\ntwo two\nthree", 16)).toEqual(["one one", "two two\nthree"]);
  expect(splitMarkdown("one two three\nfour five six", 16)).toEqual(["one two three", "four five six"]);
  expect(splitMarkdown("one two three four", 10)).toEqual(["one two", "three four"]);
  expect(splitMarkdown("🎉".repeat(8), 5)).toEqual(["🎉🎉", "🎉🎉", "🎉🎉", "🎉🎉"]);
});

test("splitMarkdown cuts words between graphemes, and longer graphemes anywhere", () => {
  expect(splitMarkdown("e\u0301".repeat(3), 5)).toEqual(["e\u0301e\u0301", "e\u0301"]);
  expect(splitMarkdown("ab👩‍👩‍👧", 6)).toEqual(["ab", ...splitMarkdown("👩‍👩‍👧", 6)]);
  expect(splitMarkdown(`e${"\u0301".repeat(9)}`, 5).join("")).toBe(`e${"\u0301".repeat(9)}`);
});

test("splitMarkdown closes a fence at a cut and reopens it", () => {
  const code = Array.from({ length: 6 }, (_, index) => `line ${index}`).join("\n");

  const parts = splitMarkdown(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone`, 40);

  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect((part.match(/^```/gm)?.length ?? 0) % 2).toBe(0);
  const shown = parts.map((part) => formatMarkdown(part));
  const code_ = shown.flatMap(({ text, entities }) =>
    entities.map(({ offset, length, language }) => ({ language, text: text.slice(offset, offset + length) })),
  );
  expect(code_.every(({ language }) => language === "ts")).toBe(true);
  expect(code_.map(({ text }) => text).join("\n")).toBe(code);
  expect(shown.at(-1)?.text).toEndWith("Done");
});

test("splitMarkdown keeps a long code line in its fence after a paragraph", () => {
  const code = `${"a_b_c = d;\n".repeat(140)}${"x = y; ".repeat(400)}`;

  const parts = splitMarkdown(`${"word ".repeat(450)}\n\n\`\`\`ts\n${code}\n\`\`\`\n\nend`, 4_096);

  for (const part of parts) expect((part.match(/^```/gm)?.length ?? 0) % 2).toBe(0);
  const shown = parts.map((part) => formatMarkdown(part));
  const fixed = shown.flatMap(({ text, entities }) =>
    entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]),
  );
  expect(fixed.map(([type]) => type)).toEqual(fixed.map(() => "pre"));
  expect(words(fixed.map(([, text]) => text).join("\n"))).toBe(words(code));
});

test("splitMarkdown ends a cut fence where it ended, also in lists and quotations", () => {
  const cases = [
    ["10. Do:\n\n    ```sh\n", "    echo one\n", "    ```"],
    ["> ```sh\n", "> echo one\n", "> ```"],
    ["```md\n", "    ```\n- ```\n  echo one\n", "```"],
  ] as const;
  for (const [opening, line, closing] of cases) {
    const parts = splitMarkdown(`${opening}${line.repeat(30)}${closing}\n\nThe **end**`, 200);
    const shown = parts.map((part) => formatMarkdown(part));
    const { text = "", entities = [] } = shown.at(-1) ?? {};

    expect(parts.length).toBeGreaterThan(1);
    for (const one of shown.slice(0, -1)) expect(one.entities.filter(({ type }) => type === "pre")).toHaveLength(1);
    expect(text).toEndWith("The end");
    expect(entities.at(-1)).toEqual({ type: "bold", offset: text.length - 3, length: 3 });
  }
});

test("splitMarkdown scales linearly from 10 KB to 100 KB", () => {
  const line = `- **item** with \`code\` and [a link](https://acme.test/) ${"word ".repeat(10)}\n`;
  const markdownOf = (length: number): string => line.repeat(Math.ceil(length / line.length));
  // CPU time: wall time includes other load on the machine.
  const leastMs = (markdown: string): number => {
    const tookMs = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      splitMarkdown(markdown, 4_096);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    return Math.min(...tookMs);
  };
  const [tenthMs, allMs] = [leastMs(markdownOf(10_000)), leastMs(markdownOf(100_000))];

  expect(splitMarkdown(markdownOf(100_000), 4_096).length).toBeLessThan(40);
  // Formatting the whole rest for each part would take a hundred times as long.
  expect(allMs).toBeLessThan(40 * (tenthMs + 1));
});

const piece = fc.constantFrom(
  "a",
  "bcd ",
  "efghij",
  "🎉",
  "\n",
  "\n\n",
  " ",
  "**",
  "`",
  "\n```\n",
  "\n```ts\n",
  "\n~~~\n",
  "> ",
  "- ",
  "1. ",
  "\n| a | b |\n|---|---|\n| c | a long cell |\n",
  "# ",
  "word ".repeat(12),
  "x".repeat(70),
  "\t",
);

test("splitMarkdown returns non-empty parts that fit and keep all words", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 40, max: 120 }), (pieces, max) => {
      const markdown = pieces.join("");
      const parts = splitMarkdown(markdown, max);
      for (const part of parts) {
        expect(formatMarkdown(part).text.length).toBeLessThanOrEqual(max);
        expect(part.trim()).not.toBe("");
        expect(part.isWellFormed()).toBe(true);
      }
      expect(words(parts.join("\n"))).toBe(words(markdown));
    }),
    { numRuns: 400 },
  );
});

function words(text: string): string {
  return text.replaceAll(/(```(ts)?|~~~|`|\*\*)/g, "").replaceAll(/\s/g, "");
}
