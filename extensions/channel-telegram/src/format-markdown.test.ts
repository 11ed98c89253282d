import { tildeQuirks } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatMarkdown } from "./format-markdown.ts";
import type { TextEntity } from "./text-writer.ts";

function parts(markdown: string): readonly string[] {
  const { text, entities } = formatMarkdown(markdown);
  return entities.map(({ type, offset, length, url, language }) =>
    [
      type,
      text.slice(offset, offset + length),
      ...(url === undefined ? [] : [url]),
      ...(language === undefined ? [] : [language]),
    ].join(": "),
  );
}

for (const { id, does, markdown, text = markdown, struck } of tildeQuirks)
  test(`formatMarkdown, quirk ${id}: ${does}`, () => {
    const formatted = formatMarkdown(markdown);
    const lines = formatted.entities.filter(({ type }) => type === "strikethrough");

    expect(formatted.text).toBe(text);
    expect(lines.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual([...struck]);
  });

test("formatMarkdown keeps single tildes and strikes through text between double tildes", () => {
  const approximate = "First (~$1.50) and second (~$10), ~/a to ~/b";

  expect(formatMarkdown(approximate)).toEqual({ text: approximate, entities: [] });
  expect(formatMarkdown("~**a**~ ~~b~~")).toEqual({
    text: "~a~ b",
    entities: [
      { type: "bold", offset: 1, length: 1 },
      { type: "strikethrough", offset: 4, length: 1 },
    ],
  });
});

test("formatMarkdown emits the entities that Telegram supports", () => {
  expect(parts("**b** *i* ~~s~~ `c` [l](https://acme.test/a)")).toEqual([
    "bold: b",
    "italic: i",
    "strikethrough: s",
    "code: c",
    "text_link: l: https://acme.test/a",
  ]);
  expect(parts("# Title\n\nText")).toEqual(["bold: Title"]);
  expect(parts("```ts\nconst a = 1;\n```")).toEqual(["pre: const a = 1;: ts"]);
  expect(parts("> one\n> two")).toEqual(["blockquote: one\ntwo"]);
});

test("formatMarkdown renders unsupported elements as plain characters", () => {
  expect(formatMarkdown("Do:\n- one\n  - in it\n- [x] done\n\n1. a\n2. b").text).toBe(
    "Do:\n• one\n  • in it\n☑ done\n\n1. a\n2. b",
  );
  expect(formatMarkdown("a\n\n---\n\nb").text).toBe("a\n\n———\n\nb");
  expect(parts("| a | long |\n|---|---|\n| bcd | **e** |")).toEqual(["pre: a   │ long\n────┼─────\nbcd │ e"]);
  expect(formatMarkdown("[file](src/a.ts) ![](https://acme.test/p.png) &lt;b&gt; <i>").text).toBe(
    "file (src/a.ts) https://acme.test/p.png <b> <i>",
  );
});

test("formatMarkdown never nests code with other entities or an entity in its own kind", () => {
  expect(parts("**a `b` c**")).toEqual(["bold: a ", "code: b", "bold:  c"]);
  expect(parts("# A **b**")).toEqual(["bold: A b"]);
  expect(parts("> > a")).toEqual(["blockquote: a"]);
  expect(parts("[`a`](https://acme.test/)")).toEqual(["text_link: a: https://acme.test/"]);
});

test("formatMarkdown returns non-empty text and terminates on input that breaks the parser", () => {
  for (const markdown of [
    "[a]: https://acme.test/",
    "<!-- x -->",
    "#",
    "```\n```",
    "****",
    "🎉",
    ">".repeat(20_000),
  ])
    expect(formatMarkdown(markdown).text).not.toBe("");
});

const piece = fc.constantFrom(
  "a",
  "bc d",
  "🎉",
  "\n",
  "\n\n",
  " ",
  "**",
  "*",
  "_",
  "`",
  "```",
  "```ts\n",
  "~~",
  "> ",
  "- ",
  "1. ",
  "# ",
  "\uD83D",
  "[x](https://acme.test/)",
  "| a | b |\n|---|---|\n| c | d |\n",
  "<b>",
  "&amp;",
  "\t",
  "---\n",
  "\\",
  "[ ] ",
);
const anyMarkdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

test("formatMarkdown returns well-formed text and valid entities for any Markdown", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const { text, entities } = formatMarkdown(markdown);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toBe(text.trim());
      for (const [index, entity] of entities.entries()) {
        const end = entity.offset + entity.length;
        expect(entity.offset >= 0 && entity.length > 0 && end <= text.length).toBe(true);
        expect(text.slice(entity.offset, end).isWellFormed()).toBe(true);
        for (const other of entities.slice(0, index)) expect(isTaken(other, entity)).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
});

function isTaken(first: TextEntity, second: TextEntity): boolean {
  const end = first.offset + first.length;
  if (second.offset >= end) return true;
  if (second.offset + second.length > end || first.type === second.type) return false;
  const isFixed = [first, second].some(({ type }) => type === "code" || type === "pre");
  return !isFixed || [first, second].some(({ type }) => type === "blockquote");
}
