/** What only sets colours. */
const colours = /^\u001B\[[0-9;]*m$/; // oxlint-disable-line no-control-regex -- they are looked for
/** A background, an underline or swapped colours: spaces are seen. */
const seenSpaces = /\u001B\[(?:[0-9;]*;)?(?:4|7|4[0-8]|10[0-7])(?:;[0-9;]*)?m/; // oxlint-disable-line no-control-regex -- as above

/**
 * A row without the spaces that fill it up to the width of the window. A terminal keeps them as text: who copies the row has
 * them, and in a window that gets narrower they are wrapped into empty rows.
 */
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
