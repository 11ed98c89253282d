/** Marks of what somebody else has said, which is wrapped already: each of its rows has one. */
const marked = /^[│┆]/;

/**
 * Lines that are longer than a terminal is wide, in rows that end behind a word; each row begins as far in as its line does,
 * and behind a mark such as "- " where it has one. A
 * word that is longer than a row stays whole, so that it can be taken over with the mouse.
 */
export function linesOfWords(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (marked.test(line) || Bun.stringWidth(line) <= width ? line : rowsOf(line, width).join("\n")))
    .join("\n");
}

function rowsOf(line: string, width: number): readonly string[] {
  const indent = " ".repeat(/^ *(?:(?:->|[>·!*-]) )?/.exec(line)?.[0].length ?? 0);
  const rows: string[] = [];
  for (const word of line.match(/ *[^ ]+/g) ?? []) {
    const last = rows.at(-1);
    if (last === undefined) rows.push(word);
    else if (fits(last, word, width)) rows[rows.length - 1] = `${last}${word}`;
    else rows.push(`${indent}${word.trimStart()}`);
  }
  return rows;
}

/** Behind one that was too long, the terminal has begun a row. For one that is, a row of its own is of no use. */
function fits(row: string, word: string, width: number): boolean {
  const added = Bun.stringWidth(word);
  const before = Bun.stringWidth(row);
  const taken = before <= width ? before : before % width || width;
  return added > width || taken + added <= width;
}
