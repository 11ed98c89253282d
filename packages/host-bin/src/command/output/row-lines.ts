import { graphemesOf } from "./fitted.ts";

/** In front of what goes on below. */
const indent = "    ";
const gap = "  ";
/** What stands between two spaces or more, but for those in quotes. */
const cell = /(?:"(?:[^"\\]|\\.)*"|[^ ]|(?<! ) (?! ))+/g;

/**
 * A row of a table in lines of so many columns: where there is no room for it, its cells go on below, set in. What cannot be
 * broken, such as an id or a path, stays whole, so that it can be copied. The first `lead` columns stay as they are, and the rest
 * stands beside them.
 */
export function rowLines(row: string, width: number, lead?: number): readonly string[] {
  if (Bun.stringWidth(row) <= width) return [row];
  const lines: string[] = [];
  const isLed = lead !== undefined && row[lead - 1] === " ";
  let line = isLed ? row.slice(0, lead) : (/^ */.exec(row)?.[0] ?? "");
  const rest = row.slice(line.length);
  const below = lead === undefined ? line + indent : " ".repeat(lead);
  let isEmpty = true;
  const put = (piece: string, between: string): void => {
    const joined = isEmpty ? line + piece : line + between + piece;
    if (isEmpty || Bun.stringWidth(joined) <= width) line = joined;
    else {
      lines.push(line.trimEnd());
      line = below + piece;
    }
    isEmpty = false;
  };
  for (const text of rest.match(cell) ?? []) {
    const room = width - below.length;
    if (Bun.stringWidth(text) <= room) put(text, gap);
    else
      for (const [index, word] of [...words(text, room)].entries())
        put(word.text, index === 0 ? gap : word.between);
  }
  return [...lines, line];
}

interface Word {
  readonly text: string;
  /** What stands in front of it on its line. */
  readonly between: "" | " ";
}

/** What may stand on a line of its own. Text without spaces whose characters take two columns is broken between them. */
function* words(text: string, room: number): Generator<Word> {
  for (const word of text.split(" ")) {
    const columns = Bun.stringWidth(word);
    if (columns <= room || columns === word.length) yield { text: word, between: " " };
    else
      for (const [index, grapheme] of graphemesOf(word).entries())
        yield { text: grapheme, between: index === 0 ? " " : "" };
  }
}

interface Screen {
  readonly isScreen: boolean;
  readonly width: number;
}

/** Whether a screen has no room for all columns of a table, which is a list then. A file and a pipe have all the room. */
export function isTooNarrowFor(rows: readonly string[], { isScreen, width }: Screen): boolean {
  return isScreen && rows.some((row) => Bun.stringWidth(row) > width);
}
