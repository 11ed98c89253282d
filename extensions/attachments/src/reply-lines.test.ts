import { expect, test } from "bun:test";
import { mediaLineQuirks } from "@incipit/testkit";
import fc from "fast-check";
import { replyPieces } from "./reply-lines.ts";

function pathsOf(reply: string): readonly string[] {
  return replyPieces(reply).flatMap((piece) => (piece.kind === "media" ? [piece.path] : []));
}

const lines = fc.constantFrom(
  "MEDIA:./a.png",
  "   MEDIA: b.pdf  ",
  "    MEDIA:code.png",
  "- MEDIA:c.png",
  "> MEDIA:quoted.png",
  "```",
  "````ts",
  "~~~",
  "  ~~~~",
  "- ```",
  "> ```",
  "`MEDIA:inline.png`",
  "text",
  "",
  "  ",
  "\t```",
);

test("replyPieces preserves the reply byte for byte", () => {
  const ends = fc.constantFrom("\n", "\r\n", "\r", "\n\n", "");
  const reply = fc.array(fc.tuple(fc.oneof(lines, fc.string()), ends)).map((parts) => parts.flat().join(""));
  const property = fc.property(reply, (text) => {
    expect(
      replyPieces(text)
        .map(({ raw }) => raw)
        .join(""),
    ).toBe(text);
  });
  fc.assert(property, { numRuns: 500 });
});

for (const { id, does, reply, paths } of mediaLineQuirks)
  test(`replyPieces, quirk ${id}: ${does}`, () => {
    expect(pathsOf(reply)).toEqual(paths);
  });

interface Block {
  readonly text: string;
  readonly paths: readonly string[];
}

const name = fc.stringMatching(/^[a-z]{1,8}$/).map((stem) => `./${stem}.png`);
const indent = fc.nat({ max: 3 }).map((count) => " ".repeat(count));
const prose = fc.constantFrom(
  "Hello.",
  "",
  "MEDIA is a word",
  "`MEDIA:./x.png` is a line",
  "see MEDIA:./x.png",
  "``` x ```",
  "``",
);
const proseBlock = prose.map((text): Block => ({ text, paths: [] }));
const mediaBlock = fc
  .tuple(indent, fc.constantFrom("", "- ", "* "), name)
  // A paragraph ends the list: otherwise an indented fence would belong to its last item.
  .map(([before, bullet, path]): Block => ({
    text: `${before}${bullet}MEDIA:${path}${bullet === "" ? "" : "\n\nText"}`,
    paths: [path],
  }));
/** Inner fences are shorter, of the other character, or indented as code. */
const fencedBlock = fc
  .record({
    character: fc.constantFrom("`", "~"),
    length: fc.integer({ min: 3, max: 6 }),
    longer: fc.nat({ max: 2 }),
    before: indent,
    after: indent,
    info: fc.constantFrom("", "ts", " sh "),
    content: fc.array(
      fc.oneof(
        name.map((path) => `MEDIA:${path}`),
        prose,
        fc.constantFrom("short", "other", "deep", "info"),
      ),
    ),
  })
  .map(({ character, length, longer, before, after, info, content }): Block => {
    const fence = character.repeat(length);
    const inside = content.map((line) => {
      if (line === "short") return fence.slice(1);
      if (line === "other") return (character === "`" ? "~" : "`").repeat(length + 1);
      if (line === "deep") return `    ${fence}`;
      return line === "info" ? `${fence} end` : line;
    });
    const text = [`${before}${fence}${info}`, ...inside, `${after}${character.repeat(length + longer)} `].join(
      "\n",
    );
    return { text, paths: [] };
  });

test("replyPieces finds MEDIA lines outside of fences and none inside", () => {
  const end = fc.constantFrom("\n", "\r\n");
  const blocks = fc.array(fc.oneof(proseBlock, mediaBlock, fencedBlock));
  const property = fc.property(blocks, fc.boolean(), end, (all, isUnclosed, lineEnd) => {
    const open = isUnclosed ? ["~~~", "MEDIA:./in.png", "```", "MEDIA:./in.png"] : [];
    const reply = [...all.map(({ text }) => text), ...open].join("\n").replaceAll("\n", lineEnd);
    expect(pathsOf(reply)).toEqual(all.flatMap(({ paths }) => paths));
  });
  fc.assert(property, { numRuns: 500 });
});

for (const [what, reply, paths] of [
  ["a fence in a list item", "1. Write\n   ```\n   MEDIA:./in.png\n   ```\nMEDIA:./out.png", ["./out.png"]],
  ["a fence on the line of a list item", "- ```\n  MEDIA:./in.png\n  ```\nMEDIA:./out.png", ["./out.png"]],
  ["a fence that its list item ends", "- ```\n  MEDIA:./in.png\nMEDIA:./out.png", ["./out.png"]],
  ["a fence that its quotation ends", "> ```\n> x\nMEDIA:./out.png", ["./out.png"]],
  ["a fence that a quotation closes", "> ```\n> x\n> ```\n\nMEDIA:./out.png", ["./out.png"]],
  [
    "a fence four spaces deep in a list item",
    "1. x\n    ~~~\n   MEDIA:./in.png\n    ~~~\nMEDIA:./out.png",
    ["./out.png"],
  ],
  ["a fence behind a tab in a list item", "- x\n\n\t```\n   MEDIA:./in.png\n\t```\nMEDIA:./out.png", ["./out.png"]],
  ["a fence in the outer one of two items", "- - x\n  ~~~\n  MEDIA:./in.png\n MEDIA:./out.png", ["./out.png"]],
  ["a fence in an item of a quotation", "> - ```\n>   x\n> - y\nMEDIA:./out.png", ["./out.png"]],
  ["a fence in a quotation of an item", "- > ```\n  > x\n  MEDIA:./out.png", ["./out.png"]],
  ["text of an item that goes on", "- x\ny\n    ```\n  MEDIA:./in.png\n    ```\nMEDIA:./out.png", ["./out.png"]],
  ["a heading, which ends the text of an item", "- x\n# z\n  ```\n MEDIA:./in.png", []],
  ["empty lines, which end no item", "- ```\n\n\n  MEDIA:./in.png\n  ```\n  MEDIA:./out.png", ["./out.png"]],
  ["five spaces behind a list marker, which are code", "-     ```\n  ```\n MEDIA:./out.png", ["./out.png"]],
  ["rules, which begin no list", "- - -\n  ```\n MEDIA:./in.png\n  ```\n* * *\nMEDIA:./out.png", ["./out.png"]],
  [
    "what a fence of another depth does not close",
    "> ```\n> - ```\n> MEDIA:./in.png\nMEDIA:./out.png",
    ["./out.png"],
  ],
  ["backticks behind backticks, which open nothing", "```a`b\nMEDIA:./out.png", ["./out.png"]],
  ["backticks behind tildes, which do", "~~~a`b\nMEDIA:./in.png", []],
  ["a tab, which is code", "\tMEDIA:./in.png", []],
  ["no path", "MEDIA:\nMEDIA:   \nMEDIA:<>", []],
  ["small letters", "media:./in.png", []],
  ["spaces in a path", "MEDIA: my report.pdf ", ["my report.pdf"]],
  ["the brackets of the instruction", "MEDIA:<./a.png>", ["./a.png"]],
] as const)
  test(`replyPieces recognizes ${what}`, () => expect(pathsOf(reply)).toEqual([...paths]));

test("replyPieces scales linearly from 100 KB to 1 MB", () => {
  const pieces = ["```\n", "> ", "- ", "> \n", "- \n", "- - - x\n", "\t", "- `", "> - \n\n", "MEDIA: ", "~", "1. "];
  const made = [
    ...pieces.map((piece) => (length: number) => piece.repeat(length / piece.length)),
    (length: number) => `${"- ".repeat(length / 5)}x${"\n".repeat(length / 5)}`,
    (length: number) => `${" ".repeat(length)}x`,
  ];
  for (const make of made) {
    const [tenthMs, allMs] = [leastMs(make(100_000)), leastMs(make(1_000_000))];
    // A quadratic algorithm would take a hundred times as long.
    expect(allMs).toBeLessThan(40 * (tenthMs + 5));
  }
}, 300_000);

/** CPU time, since wall time includes other load on the machine. */
function leastMs(text: string): number {
  const tookMs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    replyPieces(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...tookMs);
}
