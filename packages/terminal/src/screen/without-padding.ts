const colours = /^\u001B\[[0-9;]*m$/; // oxlint-disable-line no-control-regex -- they are looked for
/** Background, underline or inverse, which make spaces visible. */
const seenSpaces = /\u001B\[(?:[0-9;]*;)?(?:4|7|4[0-8]|10[0-7])(?:;[0-9;]*)?m/; // oxlint-disable-line no-control-regex -- as above

/** Terminals keep padding as text: it would be copied, and wrapped into empty rows in a narrower window. */
export function withoutPadding(row: string): string {
  let end = row.length;
  let kept = "";
  for (;;) {
    if (row[end - 1] === " ") {
      end -= 1;
      continue;
    }
    const begin = row[end - 1] === "m" ? row.lastIndexOf("\u001B", end - 1) : -1;
    const last = begin === -1 ? "" : row.slice(begin, end);
    if (!colours.test(last)) break;
    kept = last + kept;
    end = begin;
  }
  return end + kept.length === row.length || seenSpaces.test(row) ? row : row.slice(0, end) + kept;
}
