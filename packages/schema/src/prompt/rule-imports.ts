/** An `@path` in an instruction file, which stands for another file. */
export interface RuleImport {
  /** Where it stands, with its `@`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As it is written, without the `@`. */
  readonly path: string;
}

/**
 * Finds the imports of a `CLAUDE.md` or a `GEMINI.md`: an `@` at the start of a line or behind white space, and what follows up
 * to the next white space, without punctuation at its end. None in code spans and fenced code blocks. In linear time.
 * @param text With `\n` at the ends of lines.
 */
export function ruleImports(text: string): readonly RuleImport[] {
  const found: RuleImport[] = [];
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else if (mark === undefined || (mark.startsWith("`") && line.trimStart().slice(mark.length).includes("`")))
      addImports(line, at, found);
    else fence = mark;
    at += line.length + 1;
  }
  return found;
}

function addImports(line: string, at: number, found: RuleImport[]): void {
  if (!line.includes("@")) return;
  const spans = codeSpans(line);
  let next = 0;
  for (const match of line.matchAll(/(?<=^|\s)@(\S+)/g)) {
    const [whole, written = ""] = match;
    while ((spans[next]?.end ?? Infinity) <= match.index) next += 1;
    const span = spans[next];
    if (span !== undefined && span.start < match.index + whole.length) continue;
    const path = withoutPunctuation(written);
    if (path === "") continue;
    const start = at + match.index;
    found.push({ start, end: start + 1 + path.length, path });
  }
}

function withoutPunctuation(written: string): string {
  let end = written.length;
  while (end > 0 && ".,;:!?)]}>'\"*".includes(written.charAt(end - 1))) end -= 1;
  return written.slice(0, end);
}

/** What stands between two runs of as many backticks. */
function codeSpans(line: string): readonly { readonly start: number; readonly end: number }[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
    length,
  }));
  const nextOfLength = new Map<number, number>();
  const closings = new Map<number, number>();
  for (const [index, { length }] of [...runs.entries()].toReversed()) {
    const closing = nextOfLength.get(length);
    if (closing !== undefined) closings.set(index, closing);
    nextOfLength.set(length, index);
  }
  const spans: { readonly start: number; readonly end: number }[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const closing = closings.get(index);
    const open = runs[index];
    const close = closing === undefined ? undefined : runs[closing];
    if (closing === undefined || open === undefined || close === undefined) continue;
    spans.push({ start: open.start, end: close.end });
    index = closing;
  }
  return spans;
}
