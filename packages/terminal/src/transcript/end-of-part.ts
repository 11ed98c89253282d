/** A line, a sentence or a word whose successor begins no block of Markdown by itself. */
const ends = [/\n(?=[\p{L}>])/gu, /[.!?]\s(?=\p{L})/gu, /[。！？](?=\p{L})/gu, /\s(?=\p{L})/gu] as const;

/** Returns where the first part of a long text ends: between half of `maxCharacters` and all of it, where a reader expects it. */
export function endOfPart(text: string, maxCharacters: number): number {
  const half = Math.floor(maxCharacters / 2);
  const window = text.slice(half, maxCharacters);
  for (const end of ends) {
    const found = [...window.matchAll(end)].at(-1);
    if (found !== undefined) return half + found.index + found[0].length;
  }
  // Not between the halves of a character.
  return text.slice(0, maxCharacters).isWellFormed() ? maxCharacters : maxCharacters - 1;
}
