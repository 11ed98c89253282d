import { findKnownSecrets } from "@incipit/redaction";

/** What looks like a secret; where it stands, and never what it is. */
export interface SecretPlace {
  /** Such as `github-token`. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** `false`: it has no shape of its own, and is only called a secret. */
  readonly isCertain: boolean;
}

/** Its start is bound to the edge of a word, and each repetition is bounded: linear, whatever the text. */
const named =
  /(?<![A-Za-z0-9])(?:api[_-]?key|secret|token|passwd|password|credential)s?["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([\w+/=.-]{16,200})/gi;

/** At most so many of one text: who has one has to look at all of it. */
const maxPlaces = 20;

/** In the order of the text, no two in one place. Time grows as the text does. */
export function findSecrets(text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = [];
  for (const { kind, start, end } of findKnownSecrets(text)) {
    if (places.length === maxPlaces) return places;
    if (start >= (places.at(-1)?.end ?? 0)) places.push({ kind, start, end, isCertain: true });
  }
  for (const match of text.matchAll(named)) {
    if (places.length === maxPlaces) break;
    const secret = match[1] ?? "";
    const end = match.index + match[0].length;
    const start = end - secret.length;
    if (!isRandom(secret) || places.some((other) => start < other.end && other.start < end)) continue;
    places.push({ kind: "named a secret", start, end, isCertain: false });
  }
  return places.toSorted((a, b) => a.start - b.start);
}

/** Letters and digits among each other, as nobody writes words. */
function isRandom(value: string): boolean {
  const changes = [...value.matchAll(/[A-Za-z]\d|\d[A-Za-z]/g)];
  return changes.length >= 3 && new Set(value).size >= 8;
}
