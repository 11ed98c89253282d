/** A quotation takes so many cells of a row: its bar and a space. */
export const barCells = 2;
/** A list in a list is set in by so many, with the space behind its mark. */
export const entryCells = 4;
/** As the library draws one. */
const tabCells = 3;
/** What is quoted has at least so much of a row. */
const leastText = 8;
/** What a list's entry begins with. */
const listMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;

/**
 * Changes one line after the other, so that quotations are only as deep as there is room for them; further marks are text. The
 * library draws two rows for each row of a quotation that has no room: forty in each other would be as many as no machine can
 * draw.
 */
export function shallowQuotes(width: number): (line: string) => string {
  return (line) => shallow(line, roomOfMarks(width));
}

/** Cells that marks and what is in front of them may take. */
export function roomOfMarks(width: number): number {
  return width - leastText;
}

function shallow(line: string, room: number): string {
  let cells = 0;
  for (let at = 0; at < line.length; at += 1) {
    listMark.lastIndex = at;
    const mark = listMark.exec(line)?.[0];
    if (mark !== undefined) {
      cells += entryCells;
      at += mark.length - 1;
    } else if (line[at] === "\t") cells += tabCells;
    else if (line[at] === " ") cells += line[at - 1] === ">" ? 0 : 1;
    else if (line[at] !== ">") return line;
    else if (cells + barCells > room) return `${line.slice(0, at)}\\${line.slice(at)}`;
    else cells += barCells;
  }
  return line;
}
