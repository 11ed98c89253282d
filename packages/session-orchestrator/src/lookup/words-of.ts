const seam = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu;
const word = /[\p{L}\p{N}]+/gu;
const maxLength = 40;

/** Thai, Lao, Myanmar, Khmer, Japanese and Chinese. Ranges, because script properties are twenty times as slow. */
const withoutSpaces =
  "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3005-\\u3007\\u3040-\\u30FF\\u31F0-\\u31FF\\u3400-\\u9FFF";
const hasWithoutSpaces = new RegExp(`[${withoutSpaces}]`);
const runs = new RegExp(`[${withoutSpaces}]+|[^${withoutSpaces}]+`, "g");

export function isWithoutSpaces(text: string): boolean {
  return hasWithoutSpaces.test(text);
}

/**
 * Ignores case and accents; splits camel and snake case. In scripts without spaces, each pair of adjacent letters is
 * a word, because dictionaries differ between systems.
 */
export function wordsOf(text: string, { max }: { readonly max: number }): readonly string[] {
  const start = text.slice(0, max * maxLength).replaceAll(seam, " ");
  const hasRuns = isWithoutSpaces(start);
  const words: string[] = [];
  // Remove marks before normalization, which sorts them in quadratic time.
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
