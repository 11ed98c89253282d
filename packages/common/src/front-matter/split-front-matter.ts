import { lineAt, type Stretch } from "./line-at.ts";

/** A file that begins with YAML between two `---` lines. */
export interface FrontMatter {
  /** Between the two lines, including the last line break. */
  readonly yaml: Stretch;
  /** After the second line. */
  readonly body: Stretch;
}

const fence = /^---[ \t]*$/;
const byteOrderMark = "\u{feff}";

/** `unclosed`: no second `---` line. `undefined`: no front matter. */
export function splitFrontMatter(text: string): FrontMatter | "unclosed" | undefined {
  const start = text.startsWith(byteOrderMark) ? 1 : 0;
  const first = lineAt(text, start);
  if (!fence.test(text.slice(start, first.end))) return undefined;
  for (let at = first.next; at < text.length;) {
    const line = lineAt(text, at);
    if (fence.test(text.slice(at, line.end)))
      return { yaml: { start: first.next, end: at }, body: { start: line.next, end: text.length } };
    at = line.next;
  }
  return "unclosed";
}
