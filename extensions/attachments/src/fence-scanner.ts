type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly column: number };

interface Fence {
  readonly character: "`" | "~";
  readonly length: number;
  readonly depth: number;
}

/** Maximum nesting; deeper fences are treated as text, which keeps the time linear. */
const maxDepth = 50;

const heading = /^ {0,3}#{1,6}(?: |$)/;
const quoteMark = /^ {0,3}> ?/;
const itemMark = /^( {0,3}(?:[-*+]|\d{1,9}[.)]))( +|$)/;

/**
 * CommonMark 0.31, section 4.5: at most three spaces before the fence, no backtick after an opening backtick fence,
 * closed by at least as many of its characters with nothing after them, or by the end of its block quote or list
 * item. An unclosed fence runs to the end.
 */
export class FenceScanner {
  #containers: Container[] = [];
  #open: Fence | undefined;
  #isInParagraph = false;

  /** Fences belong to the code. */
  takes(line: string): boolean {
    const { rest, depth } = inContainers(spaced(line), this.#containers);
    if (this.#open !== undefined && depth >= this.#open.depth) {
      if (closes(rest, this.#open)) this.#open = undefined;
      return true;
    }
    // Lazy continuation: paragraph text continues without container marks.
    if (this.#isInParagraph && isText(rest)) return false;
    this.#containers.length = depth;
    const content = this.#enter(rest);
    this.#open = opened(content, this.#containers.length);
    this.#isInParagraph = isText(content) && !content.startsWith("    ");
    return this.#open !== undefined;
  }

  #enter(line: string): string {
    let rest = line;
    while (this.#containers.length < maxDepth) {
      const quote = quoteMark.exec(rest);
      const item = quote === null && !isThematicBreak(rest) ? itemMark.exec(rest) : null;
      if (quote !== null) {
        this.#containers.push({ kind: "quote" });
        rest = rest.slice(quote[0].length);
      } else if (item !== null) {
        const [, mark = "", gap = ""] = item;
        // Five or more spaces count as one, followed by code; so does an empty item.
        const column = mark.length + (gap.length >= 1 && gap.length <= 4 && item[0] !== rest ? gap.length : 1);
        this.#containers.push({ kind: "item", column });
        rest = rest.slice(column);
      } else return rest;
    }
    return rest;
  }
}

function inContainers(
  line: string,
  containers: readonly Container[],
): { readonly rest: string; readonly depth: number } {
  let rest = line;
  for (const [depth, container] of containers.entries()) {
    if (container.kind === "quote") {
      const [mark] = quoteMark.exec(rest) ?? [];
      if (mark === undefined) return { rest, depth };
      rest = rest.slice(mark.length);
    } else if (rest.trim() === "") rest = "";
    else if (rest.startsWith(" ".repeat(container.column))) rest = rest.slice(container.column);
    else return { rest, depth };
  }
  return { rest, depth: containers.length };
}

function isText(line: string): boolean {
  const isBlock = [quoteMark, itemMark, heading].some((mark) => mark.test(line));
  return line.trim() !== "" && !isBlock && !isThematicBreak(line) && opened(line, 0) === undefined;
}

/** A regular expression with a repeated group takes seconds on hundreds of thousands of marks. */
function isThematicBreak(line: string): boolean {
  const begin = line.search(/[^ ]/);
  const mark = line[begin];
  if (begin > 3 || (mark !== "*" && mark !== "-" && mark !== "_")) return false;
  let count = 0;
  for (let index = begin; index < line.length; index += 1) {
    if (line[index] === mark) count += 1;
    else if (line[index] !== " ") return false;
  }
  return count >= 3;
}

function opened(line: string, depth: number): Fence | undefined {
  const [whole, fence = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const character = fence.startsWith("~") ? "~" : "`";
  if (character === "`" && line.includes("`", whole.length)) return undefined;
  return { character, length: fence.length, depth };
}

function closes(line: string, { character, length }: Fence): boolean {
  const [whole, fence = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (whole === undefined || !fence.startsWith(character) || fence.length < length) return false;
  return line.slice(whole.length).trim() === "";
}

function spaced(line: string): string {
  if (!line.includes("\t")) return line;
  let text = "";
  for (const [index, part] of line.split("\t").entries()) {
    if (index > 0) text += " ".repeat(4 - (text.length % 4));
    text += part;
  }
  return text;
}
