import { openMarks, type OpenMarks } from "./open-marks.ts";

interface Fence {
  readonly opening: string;
  readonly closing: string;
  /** Indentation of the opening line, as in a list; the closing line is indented by at most three more columns. */
  readonly indent: number;
  /** Whether the fence was reopened after a cut, where its original closing line may not close it. */
  readonly isReopened: boolean;
}

/** Space reserved for marks that are closed and reopened at a cut. */
const maxMarksLength = 16;

/** A cut between paragraphs is preferred if the part then has at least this share of the maximum length. */
const goodShare = 0.5;
/** Longer links are cut like any text. */
const maxLinkLength = 1_000;

export interface SplitOptions {
  /** In UTF-16 units. */
  readonly max: number;
  /** Returns the length after formatting. Defaults to the length of the Markdown, which may be shorter. */
  readonly lengthOf?: (part: string) => number;
}

/**
 * Splits Markdown into parts of at most `max` units after formatting: between paragraphs if the parts are not too
 * short, else between lines, else between words. Fences and marks such as `**` are closed and reopened at a cut.
 */
export function splitMarkdown(markdown: string, { max, lengthOf = unitsOf }: SplitOptions): readonly string[] {
  return parted(markdown.toWellFormed(), max).flatMap((part) => fitting(part, { max, lengthOf }));
}

function unitsOf(part: string): number {
  return part.length;
}

function parted(markdown: string, max: number): readonly string[] {
  const whole = packed(markdown, { max, roomForMarks: 0 });
  if (!whole.isCutInMarks) return whole.parts;
  const roomForMarks = Math.min(maxMarksLength, Math.floor(max / 4));
  return packed(markdown, { max: max - roomForMarks, roomForMarks }).parts;
}

function packed(
  markdown: string,
  { max, roomForMarks }: { readonly max: number; readonly roomForMarks: number },
): { readonly parts: readonly string[]; readonly isCutInMarks: boolean } {
  const parts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let fence: Fence | undefined;
  let goodLines = 0;
  let goodLength = 0;
  const put = (line: string): void => {
    lines.push(line);
    length += line.length + 1;
  };
  let isCutInMarks = false;
  let reopened = "";
  const marksAt = (rest: string): OpenMarks => {
    if (fence !== undefined || lines.at(-1)?.trim() === "") return { opening: "", closing: "" };
    const marks = openMarks(lines.slice(Math.max(0, lines.findLastIndex(beginsBlock))).join("\n"), rest);
    if (marks.closing === "") return marks;
    isCutInMarks = true;
    return marks.closing.length * 2 > roomForMarks ? { opening: "", closing: "" } : marks;
  };
  const flush = (nextLength: number, rest: string): void => {
    const isGood = goodLength >= max * goodShare && length - goodLength + nextLength <= max;
    const kept = isGood ? lines.splice(goodLines) : fence === undefined ? [] : [fence.opening];
    const { opening, closing } = isGood ? { opening: "", closing: "" } : marksAt(rest);
    reopened = opening;
    // The fence was opened after the cut.
    const end = fence === undefined || isGood ? [] : [fence.closing];
    parts.push(`${[...lines, ...end].join("\n").trimEnd()}${closing}`);
    if (fence !== undefined && !isGood) fence = { ...fence, isReopened: true };
    lines = kept;
    length = kept.reduce((sum, line) => sum + line.length + 1, 0);
    goodLines = goodLength = 0;
  };
  const all = markdown.split("\n");
  for (const [index, whole] of all.entries()) {
    if (fence !== undefined && isEndOf(fence, whole)) {
      // Leaves room for the closing line; an original one may be longer.
      const isAsItStands = !fence.isReopened && length + whole.length <= max;
      put(isAsItStands ? whole : fence.closing);
      fence = undefined;
      continue;
    }
    const room = max - (fence === undefined ? 0 : fence.opening.length + fence.closing.length + 2);
    const pieces = cutLine(whole, Math.max(room, 1));
    for (const [at, piece] of pieces.entries()) {
      let line = piece;
      const nextLength = line.length + (fence === undefined ? 0 : fence.closing.length + 1);
      if (lines.length > 0 && length + nextLength > max) {
        flush(nextLength, `${pieces.slice(at).join(" ")}\n${restOfParagraph(all, index + 1)}`);
        line = behindMarks(reopened, line);
      }
      put(line);
    }
    fence ??= fenceOf(whole, max);
    if (fence === undefined && whole.trim() === "") [goodLines, goodLength] = [lines.length, length];
  }
  const whole = [...parts, lines.join("\n")].map(withoutEdges).filter((part) => part.trim() !== "");
  return { parts: whole, isCutInMarks };
}

/** Puts reopened marks before a line, unless it begins with the end of inline code that the previous part closed. */
function behindMarks(opening: string, line: string): string {
  const [code = ""] = /`+$/.exec(opening) ?? [];
  const [ending = ""] = code === "" ? [] : (/^\s*(`+)/.exec(line) ?? []);
  if (code === "" || ending.trim() !== code) return `${opening}${line}`;
  return `${opening.slice(0, -code.length)}${line.slice(ending.length).trimStart()}`;
}

/** Returns whether a line is empty, or starts a list, heading, quotation, table row or similar. */
function beginsBlock(line: string): boolean {
  return /^\s*(?:$|[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|\||`{3}|~{3}|(?:-[ \t]*){3,}$)/.test(line);
}

function restOfParagraph(lines: readonly string[], from: number): string {
  const end = lines.findIndex((line, index) => index >= from && beginsBlock(line));
  return lines.slice(from, end === -1 ? undefined : end).join("\n");
}

/** Removes empty lines at both ends, and keeps the indentation of the first line. */
function withoutEdges(part: string): string {
  return part.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

function isEndOf({ closing, indent }: Fence, line: string): boolean {
  const [, before = "", marks = ""] = /^([\s>]*)(`{3,}|~{3,})\s*$/.exec(line) ?? [];
  return marks.startsWith(closing) && before.length <= indent + 3;
}

function fenceOf(line: string, max: number): Fence | undefined {
  const pattern = /^([\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?)(`{3,}(?!.*`)|~{3,})(.*)$/;
  const [, before = "", marks, info = ""] = pattern.exec(line) ?? [];
  if (marks === undefined) return undefined;
  const opening = `${marks}${info}`.trimEnd();
  return {
    // A long info string is dropped, since reopening would not fit.
    opening: opening.length > max / 4 ? marks.slice(0, 3) : opening,
    closing: marks.slice(0, Math.max(3, max / 8)),
    indent: before.length,
    isReopened: false,
  };
}

/** Cuts a line between words if possible, never within a character. */
function cutLine(line: string, max: number): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    const at = outsideOfMarks(rest, space > max / 2 ? space : characterEnd(rest, max));
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at).replace(/^ /, "");
  }
  return [...pieces, rest];
}

/** Moves a cut out of links and marks of several characters. */
function outsideOfMarks(text: string, at: number): number {
  const from = Math.max(0, at - maxLinkLength);
  for (const link of text.slice(from, at + maxLinkLength).matchAll(/!?\[[^[\]\n]{0,1000}\]\([^()\s]{0,1000}\)/g)) {
    const start = from + link.index;
    if (start < at && at < start + link[0].length && start > at / 4) return start;
  }
  let place = at;
  while (place > 1 && /[*_~`]/.test(text[place] ?? "") && text[place - 1] === text[place]) place -= 1;
  return place;
}

/** Returns the last end of a character up to `max`: never within a surrogate pair, nor a grapheme that fits. */
function characterEnd(text: string, max: number): number {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  // Both code units at `max` are needed to detect a grapheme that continues there.
  const start = segmenter.segment(text.slice(0, max + 2)).containing(max)?.index ?? 0;
  if (start > 0) return start;
  return Math.max(/[\uD800-\uDBFF]$/.test(text.slice(0, max)) ? max - 1 : max, 1);
}

/** Halves a part until it fits after formatting, which makes some Markdown longer, such as a table with a wide cell. */
function fitting(part: string, { max, lengthOf }: Required<SplitOptions>): readonly string[] {
  if (lengthOf(part) <= max) return [part];
  return parted(part, Math.ceil(part.length / 2)).flatMap((piece) => fitting(piece, { max, lengthOf }));
}
