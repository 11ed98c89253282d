/** Position of a line's text after its container markers. */
interface Lead {
  /** Number of `>` markers. */
  readonly quotes: number;
  /** Content columns of list items that begin on this line. */
  readonly items: readonly number[];
  /** Column of the first non-blank character after quote markers. */
  readonly indent: number;
  /** Start column and rest of the text. */
  readonly column: number;
  readonly rest: string;
}

interface OpenFence {
  readonly mark: string;
  readonly quotes: number;
  /** A line with a smaller indent is outside of the fence's list item. */
  readonly floor: number;
}

const itemMark = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/y;

/**
 * Recognizes fenced code blocks in Markdown, line by line, also inside list items and block quotes.
 *
 * - An unclosed fence ends with its list item or block quote, as in CommonMark.
 * - A closing fence with a smaller indent than its list item closes the block. CommonMark would open another one
 *   there.
 */
export class MarkdownFences {
  #open: OpenFence | undefined;
  #items: number[] = [];

  /** Whether the line is a fence or inside one. Call it for all lines in order. */
  isCode(line: string): boolean {
    if (this.#open !== undefined) {
      const state = this.#readInside(line, this.#open);
      if (state === "closing") this.#open = undefined;
      if (state !== "outside") return true;
      this.#open = undefined;
    }
    const { quotes, items, indent, column, rest } = readLead(line, { maxQuotes: Infinity, hasItems: true });
    if (rest === "") return false;
    this.#items = [...this.#items.filter((item) => item <= indent), ...items];
    const [mark] = /^(?:`{3,}|~{3,})/.exec(rest) ?? [];
    if (mark === undefined || (mark.startsWith("`") && rest.slice(mark.length).includes("`"))) return false;
    const item = this.#items.findLast((start) => start <= column) ?? 0;
    this.#open = { mark, quotes, floor: Math.max(item, column - maxIndent) };
    return true;
  }

  #readInside(line: string, { mark, quotes, floor }: OpenFence): "inside" | "closing" | "outside" {
    const lead = readLead(line, { maxQuotes: quotes, hasItems: false });
    if (lead.quotes < quotes) return "outside";
    if (lead.rest === "") return "inside";
    const [closing] = /^(?:`{3,}|~{3,})/.exec(lead.rest) ?? [];
    if (closing?.startsWith(mark) === true && lead.rest.trimEnd() === closing && lead.column <= floor + maxIndent)
      return "closing";
    return lead.column < floor ? "outside" : "inside";
  }
}

/** Maximum indent of a fence inside its container. */
const maxIndent = 3;

function readLead(
  line: string,
  { maxQuotes, hasItems }: { readonly maxQuotes: number; readonly hasItems: boolean },
): Lead {
  let quotes = 0;
  let column = 0;
  let indent: number | undefined;
  let at = 0;
  const items: number[] = [];
  for (;;) {
    const character = line.charAt(at);
    if (character === " " || character === "\t") {
      column += character === "\t" ? 4 - (column % 4) : 1;
      at += 1;
    } else if (character === ">" && quotes < maxQuotes) {
      quotes += 1;
      column += 1;
      at += 1;
    } else {
      indent ??= column;
      itemMark.lastIndex = at;
      const mark = hasItems ? itemMark.exec(line)?.[0] : undefined;
      if (mark === undefined) return { quotes, items, indent, column, rest: line.slice(at).trimEnd() };
      at += mark.length;
      column += mark.length;
      items.push(column + 1);
    }
  }
}
