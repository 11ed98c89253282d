import { graphemesOf } from "./fitted.ts";

const indent = "    ";
const gap = "  ";
/** Matches a cell: text between two or more spaces, which only quoted text may contain. */
const cell = /(?:"(?:[^"\\]|\\.)*"|[^ ]|(?<! ) (?! ))+/g;

/**
 * Unbreakable words, such as ids and paths, stay whole for copying. The first `lead` columns stay, and the rest is
 * aligned to their right.
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
  readonly between: "" | " ";
}

/** Text in double-width characters may break between any two. */
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

export function isTooNarrowFor(rows: readonly string[], { isScreen, width }: Screen): boolean {
  return isScreen && rows.some((row) => Bun.stringWidth(row) > width);
}
