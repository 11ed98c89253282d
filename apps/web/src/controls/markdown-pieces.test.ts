import { expect, test } from "bun:test";
import fc from "fast-check";
import { MarkdownPieces } from "./markdown-pieces.ts";

function piecesOf(text: string): readonly string[] {
  const { settled, rest } = new MarkdownPieces().take(text);
  return [...settled, rest];
}

const paragraph = `${"word ".repeat(200)}\n\n`;

test("MarkdownPieces.take returns a short text unsplit", () => {
  expect(piecesOf("# Title\n\ntext")).toEqual(["# Title\n\ntext"]);
});

test("MarkdownPieces.take splits between blocks without losing text", () => {
  const text = paragraph.repeat(40);
  const pieces = piecesOf(text);

  expect(pieces.length).toBeGreaterThan(4);
  expect(pieces.join("")).toBe(text);
  for (const piece of pieces.slice(0, -1)) expect(piece).toEndWith("\n\n");
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8_000);
});

test("MarkdownPieces.take keeps code together up to a limit and reopens its fence after a cut", () => {
  const line = "const a = 1;\n";
  const code = `\`\`\`ts\n${line.repeat(2_000)}\`\`\`\n`;
  const endless = new MarkdownPieces({ longestCode: 20_000 }).take(`\`\`\`ts\n${line.repeat(4_000)}`);

  expect(piecesOf(paragraph.repeat(5) + code + paragraph.repeat(5))).toContain(code);
  expect(endless.settled.length).toBeGreaterThan(1);
  for (const piece of [...endless.settled, endless.rest]) expect(piece).toStartWith("```ts\nconst a = 1;\n");
});

test("MarkdownPieces.take splits a line of a million characters outside surrogate pairs", () => {
  const text = "😀".repeat(500_000);
  const pieces = piecesOf(text);

  expect(pieces.join("")).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8_000);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});

test("MarkdownPieces.take handles quotes nested thousands deep", () => {
  const text = "> ".repeat(10_000);

  expect(piecesOf(text).join("")).toBe(text);
});

test("MarkdownPieces.take returns the same settled pieces for any increments", () => {
  const block = fc.constantFrom(paragraph, "# Title\n\n", "- a\n- b\n\n", `> ${"q ".repeat(900)}\n\n`, "text\n");
  const property = fc.property(
    fc.array(block, { maxLength: 60 }),
    fc.infiniteStream(fc.nat(3_000)),
    (blocks, steps) => {
      const text = blocks.join("");
      const pieces = new MarkdownPieces();
      let seen: readonly string[] = [];
      for (let length = 0; length < text.length; length += 1 + (steps.next().value ?? 0)) {
        const { settled, rest } = pieces.take(text.slice(0, length));
        expect([...settled, rest].join("")).toBe(text.slice(0, length));
        expect(settled.slice(0, seen.length)).toEqual([...seen]);
        seen = settled;
      }
    },
  );
  fc.assert(property, { numRuns: 50 });
});

test("MarkdownPieces.take starts over for another text", () => {
  const pieces = new MarkdownPieces();
  pieces.take(paragraph.repeat(20));

  const { settled, rest } = pieces.take("another one");

  expect([settled, rest]).toEqual([[], "another one"]);
});
