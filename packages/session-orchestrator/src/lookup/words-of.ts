/** Where a small letter or a digit is followed by a capital. */
const seam = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu;
const word = /[\p{L}\p{N}]+/gu;
/** Longest word, in UTF-16 units: more tells nothing. */
const maxLength = 40;

/** Thai, Lao, Myanmar, Khmer, Japanese and Chinese. As ranges: to look scripts up takes twenty times as long. */
const withoutSpaces =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3005-\\u3007\\u3040-\\u30FF\\u31F0-\\u31FF\\u3400-\\u9FFF";
const hasWithoutSpaces = new RegExp(`[${withoutSpaces}]`);
const runs = new RegExp(`[${withoutSpaces}]+|[^${withoutSpaces}]+`, "g");

/** Whether a text has letters of a script that writes words without spaces between them. */
export function isWithoutSpaces(text: string): boolean {
  return hasWithoutSpaces.test(text);
}

/**
 * The first words of a text, as they are compared: without case and accents; `createIssue` and `create_issue` have the same
 * ones. Where a script has no spaces between words, each two letters beside each other are one: dictionaries for its words differ
 * between systems.
 */
export function wordsOf(text: string, { max }: { readonly max: number }): readonly string[] {
  const start = text.slice(0, max * maxLength).replaceAll(seam, " ");
  const hasRuns = isWithoutSpaces(start);
  const words: string[] = [];
  // Marks go first: to bring many of them into their order takes the square of how many they are.
  for (const [found] of withoutMarks(start).normalize("NFKD").matchAll(word)) {
    if (words.length >= max) break;
    if (!hasRuns) words.push(withoutMarks(found.slice(0, maxLength)).toLowerCase());
    else for (const [run] of found.matchAll(runs)) words.push(...wordsOfRun(withoutMarks(run).toLowerCase()));
  }
  return words.slice(0, max);
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}+/gu, "");
}

function wordsOfRun(run: string): readonly string[] {
  if (!isWithoutSpaces(run)) return [run.slice(0, maxLength)];
  const letters = Array.from(run);
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
