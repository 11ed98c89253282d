import { singleLine } from "@incipit/schema";

const maxLength = 80;

const maxRead = 10_000;

/** The first line, truncated at a word boundary to at most 80 UTF-16 units; `null` without text. */
export function titleOf(message: string): string | null {
  const line = message
    .slice(0, maxRead)
    .split(/[\n\r\u0085\u2028\u2029]/)
    .map((text) => singleLine(text.toWellFormed().replaceAll(/[\p{Cc}\s]+/gu, " ")))
    .find((text) => text !== "");
  if (line === undefined) return null;
  return line.length <= maxLength ? line : `${cut(line, maxLength - 1)}…`;
}

function cut(line: string, length: number): string {
  const start = line.slice(0, length + 1);
  const space = start.lastIndexOf(" ");
  if (space > 0) return start.slice(0, space);
  // Created on demand, because it takes a millisecond and is rarely needed.
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  let end = 0;
  for (const { index, segment } of segmenter.segment(start)) {
    if (index + segment.length > length) break;
    end = index + segment.length;
  }
  return line.slice(0, end);
}
