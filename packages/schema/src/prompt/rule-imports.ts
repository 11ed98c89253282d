import { MarkdownFences } from "./markdown-fences.ts";

/** One way to read what stands behind an `@`. */
export interface ImportReading {
  /** Where it ends, in UTF-16 units. */
  readonly end: number;
  /** Without the `@`, quotes and escapes. */
  readonly path: string;
}

/** An `@path` in an instruction file, which stands for another file. */
export interface RuleImport extends ImportReading {
  /** Where its `@` stands, in UTF-16 units. */
  readonly start: number;
  /** Other readings, to be tried in their order where there is no file at `path`. */
  readonly others: readonly ImportReading[];
}

/** Words behind the first that may belong to a path with spaces. */
const maxFurtherWords = 8;

/**
 * Finds the imports of a `CLAUDE.md` or a `GEMINI.md`: an `@` at the start of a line or behind white space, and a path. None in
 * code spans and fenced code blocks. In linear time.
 *
 * - A path ends at white space, without punctuation at its end. A backslash keeps a space, or punctuation, in it.
 * - A path in double or single quotes ends at the closing quote.
 * - Other readings: the path with `/` for `\`, and the path with the next words of the line up to one with a file
 *   extension, the shortest first.
 * @param text With `\n` at the ends of lines.
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
    if (index < next) continue; // Inside the quotes of the one before.
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
/** Begins with the punctuation that was taken off the word before. */
const nextWord = /\S*[ \t]+(?!@)(?:\\.|\S)+/y;
const fileEnding = /\.\w{1,10}$/;

/** A path in quotes. */
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

/** Adds what is written with the words behind it, up to each that ends as a file name does. */
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

/** Without escapes; then with `/` for each `\` that is in front of a name, as on Windows. */
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
