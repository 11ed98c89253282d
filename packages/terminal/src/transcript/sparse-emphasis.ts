/** More than real text has, and few enough to draw in every frame. */
export const maxMarks = 400;

const mark = /[*_]+|~~+/g;
/** List entry, heading, table row. */
const begins = /^[\s>]*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;

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
