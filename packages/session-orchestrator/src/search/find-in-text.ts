import { maxSnippetLength, replaceHidden, type SearchMatch } from "@incipit/schema";

const maxLead = 48;

/** Created on demand, because it takes a millisecond. */
let segmenter: Intl.Segmenter | undefined;

export function findInText(
  text: string,
  terms: readonly RegExp[],
): Pick<SearchMatch, "snippet" | "ranges"> | undefined {
  const folded = fold(text);
  let first: TextRange | undefined;
  for (const term of terms) {
    const found = foldedRanges(folded, term).next().value;
    if (found === undefined) return undefined;
    if (first === undefined || found.start < first.start) first = found;
  }
  if (first === undefined) return undefined;
  const found = unfoldRange(text, first);
  const characters = charactersAround(text, found.start);
  const [{ start }, { end }] = [characters[0] ?? found, characters.at(-1) ?? found];
  const snippet = text.slice(start, end);
  const foldedSnippet = fold(snippet);
  const ranges = terms.flatMap((term) =>
    [...foldedRanges(foldedSnippet, term)].map((range) => {
      const inside = unfoldRange(snippet, range);
      return { start: start + inside.start, end: start + inside.end };
    }),
  );
  return {
    snippet: replaceHidden(snippet.toWellFormed(), (hidden) => " ".repeat(hidden.length)).replaceAll(
      /[\n\t]/g,
      " ",
    ),
    ranges: merged([found, ...ranges].map((range) => ofWholeCharacters(range, characters))).map((range) => ({
      start: range.start - start,
      end: range.end - start,
    })),
  };
}

function foldedRanges(folded: string, term: RegExp): IteratorObject<TextRange, undefined> {
  return folded.matchAll(term).map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

function charactersAround(text: string, at: number): readonly TextRange[] {
  const lead = text.slice(Math.max(0, at - maxLead), at);
  const leadStart = at - lead.length;
  const isWhole = leadStart === 0;
  const piece = text.slice(leadStart, at + maxSnippetLength);
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const all = [...segmenter.segment(piece)].map(({ index, segment }) => ({
    start: leadStart + index,
    end: leadStart + index + segment.length,
    text: segment,
  }));
  const holder = all.findIndex(({ end }) => end > at);
  // The first may be a partial grapheme.
  const wordEnd = isWhole ? -1 : all.findIndex((character, index) => index < holder && /^\s/u.test(character.text));
  const firstIndex = isWhole || wordEnd !== -1 ? wordEnd + 1 : Math.min(1, holder);
  const from = all[firstIndex]?.start ?? at;
  const fitting = all.slice(firstIndex).filter(({ end }) => end - from <= maxSnippetLength);
  const isCut = (character: TextRange | undefined): boolean =>
    character?.end === leadStart + piece.length && character.end < text.length;
  const whole = isCut(fitting.at(-1)) ? fitting.slice(0, -1) : fitting;
  return (whole.at(-1)?.end ?? 0) > at ? whole : [{ start: at, end: Math.min(text.length, at + maxSnippetLength) }];
}

function ofWholeCharacters(range: TextRange, characters: readonly TextRange[]): TextRange {
  const covered = characters.filter(({ start, end }) => end > range.start && start < range.end);
  return { start: covered[0]?.start ?? range.start, end: covered.at(-1)?.end ?? range.end };
}

function merged(ranges: readonly TextRange[]): readonly TextRange[] {
  const apart: TextRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const before = apart.at(-1);
    if (before === undefined || range.start >= before.end) apart.push(range);
    else apart[apart.length - 1] = { start: before.start, end: Math.max(before.end, range.end) };
  }
  return apart;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Ignores case, accents and compatibility forms (Unicode NFKD, marks removed). Characters are independent: `fold(a +
 * b)` is `fold(a) + fold(b)`.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  // Remove marks before normalization, which sorts them in quadratic time.
  const letters = withoutMarks(withoutMarks(text).normalize("NFKD"));
  // Lower, upper, lower: "ẞ" is a capital of "ß", which is "SS" in upper case. Final sigma has its own form.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}+/gu, "");
}

// oxlint-disable-next-line no-control-regex -- these are the ASCII characters
const isAscii = /^[\u0000-\u007F]*$/;

/** Folded block by block when locating a unit, which trades time for memory. */
const blockLength = 4_096;

export function unfoldRange(text: string, folded: TextRange): TextRange {
  return { start: characterAt(text, folded.start).start, end: characterAt(text, folded.end - 1).end };
}

function characterAt(text: string, foldedIndex: number): TextRange {
  let left = foldedIndex;
  for (let start = 0; start < text.length;) {
    const block = blockFrom(text, start);
    const { length } = fold(block);
    if (left < length) {
      for (const character of block) {
        const end = start + character.length;
        const units = fold(character).length;
        if (left < units) return { start, end };
        left -= units;
        start = end;
      }
    }
    left -= length;
    start += block.length;
  }
  return { start: text.length, end: text.length };
}

/** Never splits a surrogate pair. */
function blockFrom(text: string, start: number): string {
  const block = text.slice(start, start + blockLength);
  return /[\uD800-\uDBFF]$/.test(block) ? text.slice(start, start + block.length + 1) : block;
}
