/** What follows these starts no Markdown block. */
const ends = [/\n(?=[\p{L}>])/gu, /[.!?]\s(?=\p{L})/gu, /[。！？](?=\p{L})/gu, /\s(?=\p{L})/gu] as const;

/** At a natural break between half of `maxCharacters` and all of it. */
export function endOfPart(text: string, maxCharacters: number): number {
  const half = Math.floor(maxCharacters / 2);
  const window = text.slice(half, maxCharacters);
  for (const end of ends) {
    const found = [...window.matchAll(end)].at(-1);
    if (found !== undefined) return half + found.index + found[0].length;
  }
  // Not inside a surrogate pair.
  return text.slice(0, maxCharacters).isWellFormed() ? maxCharacters : maxCharacters - 1;
}
