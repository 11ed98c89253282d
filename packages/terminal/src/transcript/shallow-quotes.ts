/** A bar and a space. */
export const barCells = 2;
/** Includes the space after the mark. */
export const entryCells = 4;
const tabCells = 3;
const leastText = 8;
const listMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;

/** The library draws two rows for each row of a quote that does not fit: forty levels would exceed any machine. */
export function shallowQuotes(width: number): (line: string) => string {
  return (line) => shallow(line, roomOfMarks(width));
}

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
