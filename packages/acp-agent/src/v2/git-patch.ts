/** A range of whole lines. */
export interface PatchHunk {
  /** 1-based start line in the new file. */
  readonly newLine: number;
  readonly oldText: string;
  readonly newText: string;
}

/** Formats a change as a git patch. @param path Absolute. */
export function changePatch(path: string, hunks: readonly PatchHunk[]): string {
  let added = 0; // Lines added by preceding hunks.
  const texts = hunks.map((hunk) => {
    const text = hunkText(hunk, hunk.newLine - added);
    added += linesOf(hunk.newText).length - linesOf(hunk.oldText).length;
    return text;
  });
  return [head(path), fileLine("---", "a", path), fileLine("+++", "b", path), ...texts].join("");
}

/** Formats a new file as a git patch. @param path Absolute. */
export function newFilePatch(path: string, newText: string): string {
  const begin = [head(path), "new file mode 100644\n"];
  if (newText === "") return begin.join("");
  const hunk = hunkText({ newLine: 1, oldText: "", newText }, 1);
  return [...begin, "--- /dev/null\n", fileLine("+++", "b", path), hunk].join("");
}

function hunkText({ newLine, oldText, newText }: PatchHunk, oldLine: number): string {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const body = [
    ...before.slice(0, start).map((line) => ` ${line}`),
    ...before.slice(start, before.length - end).map((line) => `-${line}`),
    ...after.slice(start, after.length - end).map((line) => `+${line}`),
    ...before.slice(before.length - end).map((line) => ` ${line}`),
  ];
  const shown = body.map((line) => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`));
  return `@@ -${range(oldLine, before.length)} +${range(newLine, after.length)} @@\n${shown.join("")}`;
}

/** For an empty range, git names the previous line. */
function range(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function head(path: string): string {
  return `diff --git ${quoted(`a${path}`)} ${quoted(`b${path}`)}\n`;
}

function fileLine(sign: string, side: string, path: string): string {
  const place = quoted(`${side}${path}`);
  // Git appends a tab to names with spaces, to mark their end.
  return `${sign} ${place}${place.includes(" ") && !place.startsWith('"') ? "\t" : ""}\n`;
}

/** Quotes names with control characters, quotes or backslashes like git. */
function quoted(place: string): string {
  // oxlint-disable-next-line no-control-regex -- matched on purpose
  if (!/["\\\u0000-\u001F\u007F]/.test(place)) return place;
  const escaped = place.replaceAll(/["\\\p{Cc}]/gu, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\${(character.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}
