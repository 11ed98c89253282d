export interface TextRange {
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
