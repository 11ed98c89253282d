import { closest, distance } from "fastest-levenshtein";

/** The known word that is near enough to be meant. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(word, known);
  const changes = distance(word, nearest);
  if (changes > Math.max(2, word.length / 2)) return undefined;
  // Of three letters, one that stays says nothing, unless all are there in another order.
  return changes < Math.max(2, word.length - 1) || lettersOf(word) === lettersOf(nearest) ? nearest : undefined;
}

function lettersOf(word: string): string {
  return word.split("").toSorted().join("");
}

/** End of a message: the nearest of the known words, or all of them when none is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  if (nearest !== undefined) return `; did you mean "${nearest}"?`;
  return known.length === 0 ? "" : `; there are ${known.map((name) => `"${name}"`).join(", ")}`;
}
