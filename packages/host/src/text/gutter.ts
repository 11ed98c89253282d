import { shownText } from "./shown-text.ts";

const mark = "│ ";
/** Marks a row that goes on with the line above it: padding begins no line of its own. */
const goesOnMark = "┆ ";
/** So many empty rows in a row are shown; of more it is said how many they are. */
const maxBlankRows = 3;
const minRoom = 20;

/**
 * A text of somebody else's between the command's own lines: each of its rows begins with a mark, also where a line has to
 * be wrapped, so that nothing in it looks like the command's. All of it is there; many empty rows are counted.
 */
export function gutter(text: string, { width }: { readonly width: number }): readonly string[] {
  const room = Math.max(minRoom, width - mark.length - 1);
  const rows: string[] = [];
  let blankRows = 0;
  const endBlank = (): void => {
    if (blankRows > maxBlankRows) rows.push(`  (${blankRows.toLocaleString("en-US")} empty rows)`);
    else for (; blankRows > 0; blankRows -= 1) rows.push(mark.trimEnd());
    blankRows = 0;
  };
  for (const line of shownText(text).replaceAll("\t", "    ").split("\n"))
    for (const [index, row] of wrapped(line, room).entries()) {
      if (row.trim() === "") {
        blankRows += 1;
        continue;
      }
      endBlank();
      rows.push(`${index === 0 ? mark : goesOnMark}${row}`);
    }
  endBlank();
  return rows;
}

/** By columns, and behind a word where one ends in the second half of the row. Nothing is left out. */
function wrapped(line: string, room: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  let columns = 0;
  for (const character of line) {
    const width = maxColumnsOf(character);
    if (columns + width > room) {
      const end = endOfWords(row);
      rows.push(row.slice(0, end));
      row = row.slice(end);
      columns = columnsOf(row);
    }
    row += character;
    columns += width;
  }
  return [...rows, row];
}

function endOfWords(row: string): number {
  const end = row.lastIndexOf(" ") + 1;
  return end > row.length / 2 ? end : row.length;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += maxColumnsOf(character);
  return columns;
}

/** As many as any terminal takes for it: what one of them would wrap by itself begins a line without a mark. */
function maxColumnsOf(character: string): number {
  if (character < "\u007F") return 1;
  if (/[\p{Extended_Pictographic}\p{Regional_Indicator}\uFE0F]/u.test(character)) return 2;
  return Math.max(1, Bun.stringWidth(character, { ambiguousIsNarrow: false }));
}
