import { MarkdownFences } from "./markdown-fences.ts";

/** One interpretation of the text after an `@`. */
export interface ImportReading {
  /** End offset, in UTF-16 units. */
  readonly end: number;
  /** Without the `@`, quotes and escapes. */
  readonly path: string;
}

/** An `@path` in an instruction file, which imports another file. */
export interface RuleImport extends ImportReading {
  /** Offset of its `@`, in UTF-16 units. */
  readonly start: number;
  /** Alternatives to try, in order, if there is no file at `path`. */
  readonly others: readonly ImportReading[];
}

/** Maximum number of additional words of a path with spaces. */
const maxFurtherWords = 8;

/**
 * Finds the imports of a `CLAUDE.md` or a `GEMINI.md`: an `@` at the start of a line or after white space, and a
 * path. Skips code spans and fenced code blocks. Linear time.
 *
 * - A path ends at white space, without trailing punctuation. A backslash escapes a space or punctuation.
 * - A path in double or single quotes ends at the closing quote.
 * - Alternatives: the path with `/` for `\`, and the path with the next words of the line up to one with a file
 *   extension, shortest first.
 * @param text With `\n` line ends.
 */
export function ruleImports(text: string): readonly RuleImport[] {
  const found: RuleImport[] = [];
  const fences = new MarkdownFences();
  let at = 0;
  for (const line of text.split("\n")) {
    if (!fences.isCode(line)) addImports(line, at, found);
    at += line.length + 1;
  }
  return found;
}

interface Written {
  readonly end: number;
  readonly paths: readonly string[];
  readonly isQuoted: boolean;
}

function addImports(line: string, at: number, found: RuleImport[]): void {
  if (!line.includes("@")) return;
  const spans = codeSpans(line);
  let span = 0;
  let next = 0;
  for (const { index } of line.matchAll(/(?<=^|\s)@(?=\S)/g)) {
    if (index < next) continue; // Inside the previous import's quotes.
    while ((spans[span]?.end ?? Infinity) <= index) span += 1;
    const codeStart = spans[span]?.start ?? Infinity;
    const { end, paths, isQuoted } = quoted(line, index + 1) ?? plain(line, index + 1);
    next = end;
    const [path = "", slashed] = paths;
    if (path === "" || codeStart < end) continue;
    const others: ImportReading[] = slashed === undefined ? [] : [{ end: at + end, path: slashed }];
    if (!isQuoted) addLonger(line, { from: index + 1, end, codeStart, at }, others);
    found.push({ start: at + index, end: at + end, path, others });
  }
}

const quotedPath = /"((?:\\.|[^"\\])+)"|'((?:\\.|[^'\\])+)'/y;
const plainPath = /(?:\\.|\S)+/y;
/** Begins with the punctuation stripped from the previous word. */
const nextWord = /\S*[ \t]+(?!@)(?:\\.|\S)+/y;
const fileEnding = /\.\w{1,10}$/;

/** Parses a quoted path. */
function quoted(line: string, from: number): Written | undefined {
  if (!`"'`.includes(line.charAt(from))) return undefined;
  quotedPath.lastIndex = from;
  const [whole, double, single] = quotedPath.exec(line) ?? [];
  const written = double ?? single;
  if (whole === undefined || written === undefined || written.trim() === "") return undefined;
  return { end: from + whole.length, paths: pathsOf(written), isQuoted: true };
}

function plain(line: string, from: number): Written {
  plainPath.lastIndex = from;
  const written = withoutPunctuation(plainPath.exec(line)?.[0] ?? "");
  return { end: from + written.length, paths: pathsOf(written), isQuoted: false };
}

/** Adds alternatives with the following words, up to each that ends like a file name. */
function addLonger(
  line: string,
  {
    from,
    end,
    codeStart,
    at,
  }: { readonly from: number; readonly end: number; readonly codeStart: number; readonly at: number },
  readings: ImportReading[],
): void {
  nextWord.lastIndex = end;
  for (let words = 0; words < maxFurtherWords; words += 1) {
    if (!nextWord.test(line) || codeStart < nextWord.lastIndex) break;
    const written = withoutPunctuation(line.slice(from, nextWord.lastIndex));
    if (!fileEnding.test(written)) continue;
    for (const path of pathsOf(written)) readings.push({ end: at + from + written.length, path });
  }
}

/** Returns the unescaped path, then the one with `/` for each `\` before a name character, as on Windows. */
function pathsOf(written: string): readonly string[] {
  if (!written.includes("\\")) return [written];
  const unescaped = written.replaceAll(/\\([\s!-/:-@[-`{-~])/g, "$1");
  const slashed = written.replaceAll(/\\(?=[ "'])/g, "").replaceAll(/\\+/g, "/");
  return slashed === unescaped ? [unescaped] : [unescaped, slashed];
}

function withoutPunctuation(written: string): string {
  let end = written.length;
  while (end > 0 && ".,;:!?)]}>'\"*\\".includes(written.charAt(end - 1)) && !isEscaped(written, end - 1)) end -= 1;
  return written.slice(0, end);
}

function isEscaped(written: string, at: number): boolean {
  return written.charAt(at - 1) === "\\" && written.charAt(at - 2) !== "\\" && written.charAt(at) !== "\\";
}

/** Ranges between two backtick runs of equal length. */
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
