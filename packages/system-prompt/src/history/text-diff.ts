import type { TextDiff } from "@incipit/schema";

const context = 3;

/** Cost is quadratic in the number of edits and blocks the thread. */
const maxEdits = 1_000;

/** Bounds cases with few edits, such as very long lines that differ at their ends. */
const timeoutMs = 200;

/** For both texts: more take long to compare before the first edit is counted. */
const maxLines = 100_000;

export interface NamedText {
  /** One line. */
  readonly name: string;
  readonly text: string;
}

/** If the texts differ too much (`isMinimal: false`), only the common prefix and suffix are determined. */
export async function diffTexts(from: NamedText, to: NamedText): Promise<TextDiff> {
  if (from.text === to.text) return { hunks: [], unified: "", isMinimal: true };
  const { formatPatch, structuredPatch, FILE_HEADERS_ONLY } = await import("diff");
  const fromLines = linesOf(from.text);
  const toLines = linesOf(to.text);
  const limits = { context, maxEditLength: maxEdits, timeout: timeoutMs };
  const patch =
    fromLines.length + toLines.length > maxLines
      ? undefined
      : structuredPatch(from.name, to.name, from.text, to.text, undefined, undefined, limits);
  const hunks = patch?.hunks ?? [replacement(fromLines, toLines)];
  const heads = { oldFileName: from.name, newFileName: to.name, oldHeader: undefined, newHeader: undefined };
  return { hunks, unified: formatPatch({ ...heads, hunks }, FILE_HEADERS_ONLY), isMinimal: patch !== undefined };
}

function replacement(from: readonly string[], to: readonly string[]): TextDiff["hunks"][number] {
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from[before] === to[before]) before++;
  let after = 0;
  while (after < shorter - before && from.at(-1 - after) === to.at(-1 - after)) after++;
  const start = Math.max(0, before - context);
  const shownAfter = Math.min(after, context);
  const lines: string[] = [];
  const add = (sign: string, some: readonly string[]): void => {
    for (const line of some) {
      if (line.endsWith("\n")) lines.push(`${sign}${line.slice(0, -1)}`);
      else lines.push(`${sign}${line}`, "\\ No newline at end of file");
    }
  };
  add(" ", from.slice(start, before));
  add("-", from.slice(before, from.length - after));
  add("+", to.slice(before, to.length - after));
  add(" ", from.slice(from.length - after, from.length - after + shownAfter));
  return {
    oldStart: start + 1,
    oldLines: from.length - after + shownAfter - start,
    newStart: start + 1,
    newLines: to.length - after + shownAfter - start,
    lines,
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => `${line}\n`);
  const last = lines.pop()?.slice(0, -1) ?? "";
  return last === "" ? lines : [...lines, last];
}
