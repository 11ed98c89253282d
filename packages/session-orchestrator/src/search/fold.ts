/** A piece of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  /** Behind its last unit. */
  readonly end: number;
}

/**
 * Text as it is compared: without case, accents and forms of the same letters (Unicode NFKD, marks dropped). Each character
 * is folded without its neighbours: `fold(a + b)` is `fold(a) + fold(b)`.
 */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  // Marks go first as well: to bring many of them into their order takes the square of how many they are.
  const letters = withoutMarks(withoutMarks(text).normalize("NFKD"));
  // Twice, for "ẞ" is a capital of "ß", which is "SS" in capitals. A sigma is another one at the end of a word.
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}+/gu, "");
}

// oxlint-disable-next-line no-control-regex -- these are the ASCII characters
const isAscii = /^[\u0000-\u007F]*$/;

/** Folded at once when the place of a unit is looked for: what a long text costs is time, and no memory. */
const blockLength = 4_096;

/** The characters of a text that became a range of `fold(text)`, which is not empty. */
export function unfoldRange(text: string, folded: TextRange): TextRange {
  return { start: characterAt(text, folded.start).start, end: characterAt(text, folded.end - 1).end };
}

/** The character that became a unit of the folded text. */
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

/** It does not end inside a character: with its first half, it has the other one too. */
function blockFrom(text: string, start: number): string {
  const block = text.slice(start, start + blockLength);
  return /[\uD800-\uDBFF]$/.test(block) ? text.slice(start, start + block.length + 1) : block;
}
