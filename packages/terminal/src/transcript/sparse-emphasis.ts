/** Marks of one paragraph that may set off words: more than anybody writes, and few enough to be drawn in every frame. */
const maxMarks = 400;

const mark = /[*_]+|~~+/g;
const fence = /^ {0,3}(`{3,}|~{3,})/;
/** A line that begins a text of its own: an entry of a list, a heading, a row of a table. */
const begins = /^[\s>]*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;

/**
 * The Markdown with so many marks of emphasis in a paragraph; further ones are text. The library looks for the end of each to the
 * end of the paragraph: ten thousand without one would stop the terminal, and the host in it, for minutes.
 */
export function withSparseEmphasis(markdown: string): string {
  let left = maxMarks;
  let open: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    const found = fence.exec(line)?.[1];
    if (open !== undefined) {
      if (found?.startsWith(open) === true && line.trim() === found) open = undefined;
      return line;
    }
    if (found !== undefined) {
      open = found;
      return line;
    }
    if (line.trim() === "" || begins.test(line)) left = maxMarks;
    return line.replaceAll(mark, (marks: string, at: number) => {
      if (line[at - 1] === "\\") return marks;
      left -= 1;
      return left < 0 ? marks.replaceAll(/./g, "\\$&") : marks;
    });
  });
  return lines.join("\n");
}
