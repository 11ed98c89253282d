/** What stands in front of a key in a header. */
const scheme = /^(?:bearer|token|basic|apikey|key)[ \t]+(\S+)$/i;

/**
 * What of a value is secret by itself: the whole, the key behind `Bearer `, what `Basic` has in Base64, the password of a
 * name and a password, and the keys of a URL.
 */
export function secretParts(value: string): readonly string[] {
  const whole = value.trim();
  const [, key] = scheme.exec(whole) ?? [];
  const pair = key !== undefined && /^basic/i.test(whole) ? Buffer.from(key, "base64").toString("utf8") : key;
  const parts = [whole, key, pair, passwordOf(pair ?? whole), ...urlSecrets(whole)];
  return [...new Set(parts.filter((part) => part !== undefined))];
}

/** Of `name:password`. */
function passwordOf(text: string): string | undefined {
  return /^[^\s:/]+:([^\s/][^\s]*)$/.exec(text)?.[1];
}

/** Names of values in a query that are keys. */
const keyName = /(?:^|[-_])(?:key|token|secret|password|passwd|signature|sig)$|apikey$/i;

/** The password of a URL, or its user where there is none, as tokens stand; and what its query names as a key. */
function urlSecrets(text: string): readonly string[] {
  if (!text.includes("://") || !URL.canParse(text)) return [];
  const { username, password, searchParams } = new URL(text);
  const keys = [...searchParams].flatMap(([name, value]) => (keyName.test(name) ? [value] : []));
  const person = password === "" ? username : password;
  return person === "" ? keys : [decoded(person), ...keys];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // It was written as it is, with a "%" in it.
  }
}
