/** Marks of one paragraph that may set off words: more than anybody writes, and few enough to be drawn in every frame. */
export const maxMarks = 400;

const mark = /[*_]+|~~+/g;
/** A line that begins a text of its own: an entry of a list, a heading, a row of a table. */
const begins = /^[\s>]*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;

/** Changes one line after the other, so that of each paragraph so many marks set off words, and further ones are text. */
export function sparseEmphasis(): (line: string) => string {
  let left = maxMarks;
  return (line) => {
    if (line.trim() === "" || begins.test(line)) left = maxMarks;
    return line.replaceAll(mark, (marks: string, at: number) => {
      if (line[at - 1] === "\\") return marks;
      left -= 1;
      return left < 0 ? marks.replaceAll(/./g, "\\$&") : marks;
    });
  };
}

export function countMarks(text: string): number {
  return [...text.matchAll(mark)].filter(({ index }) => text[index - 1] !== "\\").length;
}
