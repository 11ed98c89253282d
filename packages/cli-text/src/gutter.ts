import { escapeHidden } from "@incipit/schema/text";

const mark = "│ ";
/** Padding cannot imitate a new line. */
const goesOnMark = "┆ ";
/** Longer runs are replaced by their count. */
const maxBlankRows = 3;
const minRoom = 20;

/** Foreign text must not imitate output of the command, also after wrapping. */
export function gutter(text: string, { width }: { readonly width: number }): readonly string[] {
  const room = Math.max(minRoom, width - mark.length - 1);
  const rows: string[] = [];
  let blankRows = 0;
  const endBlank = (): void => {
    if (blankRows > maxBlankRows) rows.push(`  (${blankRows.toLocaleString("en-US")} empty rows)`);
    else for (; blankRows > 0; blankRows -= 1) rows.push(mark.trimEnd());
    blankRows = 0;
  };
  for (const line of escapeHidden(text).replaceAll("\t", "    ").split("\n"))
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

/** Wraps by columns, after a word if one ends in the second half of the row. */
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

/** A row that a terminal wraps itself would continue without a mark. */
function maxColumnsOf(character: string): number {
  if (character < "\u007F") return 1;
  if (/[\p{Extended_Pictographic}\p{Regional_Indicator}\uFE0F]/u.test(character)) return 2;
  return Math.max(1, Bun.stringWidth(character, { ambiguousIsNarrow: false }));
}
