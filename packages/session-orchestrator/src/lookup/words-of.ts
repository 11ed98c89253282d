/** Where a small letter or a digit is followed by a capital. */
const seam = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu;
const word = /[\p{L}\p{N}]+/gu;
/** Longest word, in UTF-16 units: more tells nothing. */
const maxLength = 40;

/**
 * The first words of a text, as they are compared: without case and accents; `createIssue` and `create_issue` have the same
 * ones.
 */
export function wordsOf(text: string, { max }: { readonly max: number }): readonly string[] {
  const start = text.slice(0, max * maxLength).replaceAll(seam, " ");
  const words: string[] = [];
  // Marks go first: to bring many of them into their order takes the square of how many they are.
  for (const [found] of withoutMarks(start).normalize("NFKD").matchAll(word)) {
    if (words.length >= max) break;
    words.push(withoutMarks(found.slice(0, maxLength)).toLowerCase());
  }
  return words;
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}+/gu, "");
}
