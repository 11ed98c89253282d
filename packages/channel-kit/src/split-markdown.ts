/** An open fence: what opens it again, and what closes it. */
interface Fence {
  readonly opening: string;
  readonly closing: string;
  /** What stands before it, as the indentation of a list: what closes it stands at most three further. */
  readonly indent: number;
  /** It was cut, and opened again at the beginning of a line: what closed it where it was may close nothing there. */
  readonly isReopened: boolean;
}

/** From so much of a part on it rather ends between two paragraphs than between two lines. */
const goodShare = 0.5;

export interface SplitOptions {
  /** In UTF-16 units. */
  readonly max: number;
  /** How long a part is once it is formatted, where that may be longer than the Markdown; as long as it is when absent. */
  readonly lengthOf?: (part: string) => number;
}

/**
 * Cuts Markdown so that each part has at most `max` units once it is formatted: between paragraphs where that leaves parts of some
 * length, else between lines, else between words. A fence that is cut is closed, and opened again behind.
 */
export function splitMarkdown(markdown: string, { max, lengthOf = unitsOf }: SplitOptions): readonly string[] {
  return packed(markdown.toWellFormed(), max).flatMap((part) => fitting(part, { max, lengthOf }));
}

function unitsOf(part: string): number {
  return part.length;
}

function packed(markdown: string, max: number): readonly string[] {
  const parts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  let fence: Fence | undefined;
  /** How many lines stand before the last empty one outside of a fence. */
  let goodLines = 0;
  let goodLength = 0;
  const put = (line: string): void => {
    lines.push(line);
    length += line.length + 1;
  };
  const flush = (nextLength: number): void => {
    const isGood = goodLength >= max * goodShare && length - goodLength + nextLength <= max;
    const kept = isGood ? lines.splice(goodLines) : fence === undefined ? [] : [fence.opening];
    // What is open was opened behind the good place.
    parts.push([...lines, ...(fence === undefined || isGood ? [] : [fence.closing])].join("\n"));
    if (fence !== undefined && !isGood) fence = { ...fence, isReopened: true };
    lines = kept;
    length = kept.reduce((sum, line) => sum + line.length + 1, 0);
    goodLines = goodLength = 0;
  };
  for (const whole of markdown.split("\n")) {
    if (fence !== undefined && isEndOf(fence, whole)) {
      // There is room for what closes it; the line as it stands may be longer.
      const isAsItStands = !fence.isReopened && length + whole.length <= max;
      put(isAsItStands ? whole : fence.closing);
      fence = undefined;
      continue;
    }
    const room = max - (fence === undefined ? 0 : fence.opening.length + fence.closing.length + 2);
    for (const line of cutLine(whole, Math.max(room, 1))) {
      const nextLength = line.length + (fence === undefined ? 0 : fence.closing.length + 1);
      if (lines.length > 0 && length + nextLength > max) flush(nextLength);
      put(line);
    }
    fence ??= fenceOf(whole, max);
    if (fence === undefined && whole.trim() === "") [goodLines, goodLength] = [lines.length, length];
  }
  return [...parts, lines.join("\n")].map(withoutEdges).filter((part) => part.trim() !== "");
}

/** Empty lines at both ends say nothing; the indentation of the first line may. */
function withoutEdges(part: string): string {
  return part.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

function isEndOf({ closing, indent }: Fence, line: string): boolean {
  const [, before = "", marks = ""] = /^([\s>]*)(`{3,}|~{3,})\s*$/.exec(line) ?? [];
  return marks.startsWith(closing) && before.length <= indent + 3;
}

/** The fence that a line opens. */
function fenceOf(line: string, max: number): Fence | undefined {
  const pattern = /^([\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?)(`{3,}(?!.*`)|~{3,})(.*)$/;
  const [, before = "", marks, info = ""] = pattern.exec(line) ?? [];
  if (marks === undefined) return undefined;
  const opening = `${marks}${info}`.trimEnd();
  return {
    // With an information as long as a part nothing could be opened again.
    opening: opening.length > max / 4 ? marks.slice(0, 3) : opening,
    closing: marks.slice(0, Math.max(3, max / 8)),
    indent: before.length,
    isReopened: false,
  };
}

/** A line in pieces of at most `max` units, cut between words where there are any, and never within a character. */
function cutLine(line: string, max: number): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    const at = space > max / 2 ? space : characterEnd(rest, max);
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at).replace(/^ /, "");
  }
  return [...pieces, rest];
}

/** Where the last whole character before `max` ends; one that is longer is cut, but for a surrogate pair. */
function characterEnd(text: string, max: number): number {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  // Both halves of what stands at `max` tell whether it goes on the character in front of it.
  const start = segmenter.segment(text.slice(0, max + 2)).containing(max)?.index ?? 0;
  if (start > 0) return start;
  return Math.max(/[\uD800-\uDBFF]$/.test(text.slice(0, max)) ? max - 1 : max, 1);
}

/** Some Markdown is longer once it is formatted, as a table with one wide cell is. */
function fitting(part: string, { max, lengthOf }: Required<SplitOptions>): readonly string[] {
  if (lengthOf(part) <= max) return [part];
  return packed(part, Math.ceil(part.length / 2)).flatMap((piece) => fitting(piece, { max, lengthOf }));
}
