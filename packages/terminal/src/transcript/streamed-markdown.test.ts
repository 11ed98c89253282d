import { expect, test } from "bun:test";
import { maxOpenCharacters, StreamedMarkdown, type DonePiece } from "./streamed-markdown.ts";

const answer = [
  "# Tides",
  "",
  "They **rise**, and",
  "they fall.",
  "",
  "- one",
  "- two",
  "",
  "  still two",
  "",
  "```ts",
  "const a = 1;",
  "",
  "// `` is no end",
  "const b = `x`;",
  "```",
  "",
  "| a | b |",
  "| - | - |",
  "| 1 | 2 |",
  "",
  "The end",
].join("\n");

function pieces(text: string, size: number): readonly DonePiece[] {
  const streamed = new StreamedMarkdown();
  const done: DonePiece[] = [];
  for (let at = 0; at < text.length; at += size) {
    streamed.add(text.slice(at, at + size));
    done.push(...streamed.takeDone());
  }
  return [...done, ...streamed.takeRest()];
}

function textOf(piece: DonePiece): string {
  if (piece.kind === "markdown") return piece.text;
  const { isFirst, isLast, language, lines } = piece;
  return [...(isFirst ? [`\`\`\`${language}`] : []), ...lines, ...(isLast ? ["```"] : [])].join("\n");
}

test("StreamedMarkdown neither loses nor repeats text for any chunk size", () => {
  const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

  for (let size = 1; size <= answer.length; size += 1)
    expect(words(pieces(answer, size).map(textOf).join("\n"))).toEqual(words(answer));
});

test("StreamedMarkdown returns whole blocks, and code up to an empty line", () => {
  expect(
    pieces(answer, 3)
      .map(textOf)
      .map((text) => text.trim()),
  ).toEqual([
    "# Tides",
    "They **rise**, and\nthey fall.",
    "- one\n- two\n\n  still two",
    "```ts\nconst a = 1;",
    "// `` is no end\nconst b = `x`;\n```",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "The end",
  ]);
});

test("StreamedMarkdown closes unfinished code at the end of the answer", () => {
  expect(pieces("~~~\na\n\nb", 2).map(textOf)).toEqual(["```\na", "\nb\n```"]);
});

const words = Array.from({ length: 20_000 }, (_, index) => `w${index} `);
const long: Readonly<Record<string, readonly string[]>> = {
  paragraph: words,
  "paragraph with emphasis": words.map((word, index) => (index % 7 === 0 ? `**${word.trim()}** ` : word)),
  "paragraph without spaces": words.map((word) => word.trim()),
  quotation: ["> ", ...words],
  "line of code": ["```ts\n", ...words],
  "block of code": ["```ts\n", ...words.map((word) => `${word.trim()};\n`)],
  table: [
    "| one | two |\n| --- | --- |\n",
    ...words.map((word, index) => (index % 2 === 0 ? `| ${word}` : `| ${word}|\n`)),
  ],
  list: words.slice(0, 5_000).map((word) => `- ${word}\n`),
  "entry of a list": ["- ", ...words],
};

for (const [name, deltas] of Object.entries(long))
  test(`StreamedMarkdown retains a bounded part of a ${name} of many deltas without losing text`, () => {
    const streamed = new StreamedMarkdown();
    const done: DonePiece[] = [];
    let most = 0;
    for (const [index, delta] of deltas.entries()) {
      streamed.add(delta);
      if (index % 100 !== 0) continue;
      done.push(...streamed.takeDone());
      most = Math.max(most, streamed.open.length);
    }
    done.push(...streamed.takeRest());

    expect(most).toBeLessThanOrEqual(maxOpenCharacters + 100);
    const text = done.map(textOf).join(name === "paragraph without spaces" ? "" : "\n");
    expect(text.match(/w\d+/g)).toEqual(deltas.join("").match(/w\d+/g));
    expect(done.filter(({ isFirst }) => isFirst)).toHaveLength(1);
  });

test("StreamedMarkdown splits one delta of 200,000 characters like many small ones", () => {
  for (const text of ["a word ".repeat(30_000), "x".repeat(200_000), `\`\`\`\n${"code ".repeat(40_000)}`]) {
    const streamed = new StreamedMarkdown();
    streamed.add(text);
    const done = [...streamed.takeDone(), ...streamed.takeRest()];

    expect(Math.max(...done.map((piece) => textOf(piece).length))).toBeLessThanOrEqual(maxOpenCharacters + 100);
    const kept = done.map((piece) => (piece.kind === "code" ? piece.lines.join("") : piece.text)).join("");
    expect(kept).toHaveLength(text.length - (text.startsWith("```") ? 4 : 0));
  }
});

test("StreamedMarkdown repeats the header of a split table and continues list numbers", () => {
  const table = `| n | text |\n| --: | --- |\n${Array.from({ length: 600 }, (_, index) => `| ${index} | some more words |\n`).join("")}`;
  const list = Array.from({ length: 600 }, () => "1. an entry of some words\n").join("");

  const [, secondTable] = pieces(table, 100);
  const [firstList, secondList] = pieces(list, 100);

  expect(secondTable).toMatchObject({
    isFirst: false,
    text: expect.stringMatching(/^\| n \| text \|\n\| --: \| --- \|\n\| \d+ /),
  });
  const count = firstList?.kind === "markdown" ? firstList.text.trim().split("\n").length : 0;
  expect(secondList).toMatchObject({
    isFirst: false,
    text: expect.stringMatching(new RegExp(`^${count + 1}\\. an`)),
  });
});
