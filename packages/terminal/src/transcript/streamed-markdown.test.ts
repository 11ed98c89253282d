import { expect, test } from "bun:test";
import { StreamedMarkdown, type DonePiece } from "./streamed-markdown.ts";

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

test("nothing of an answer is lost or given out twice, however it comes in", () => {
  const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

  for (let size = 1; size <= answer.length; size += 1)
    expect(words(pieces(answer, size).map(textOf).join("\n"))).toEqual(words(answer));
});

test("what is given out are whole blocks, and of code the lines up to an empty one", () => {
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

test("code that nobody has ended ends with the answer", () => {
  expect(pieces("~~~\na\n\nb", 2).map(textOf)).toEqual(["```\na", "\nb\n```"]);
});
