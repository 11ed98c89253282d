/** Matches a line of quoted text, which is already wrapped. */
const marked = /^[│┆]/;

/**
 * Keeps the indent and the hang of list marks such as "- ". A word longer than a row stays whole, so that it can be
 * copied.
 */
export function wrapLines(text: string, width: number): string {
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

/**
 * After an overlong word, the terminal has already started a row. An overlong word gains nothing from a separate row.
 */
function fits(row: string, word: string, width: number): boolean {
  const added = Bun.stringWidth(word);
  const before = Bun.stringWidth(row);
  const taken = before <= width ? before : before % width || width;
  return added > width || taken + added <= width;
}
