/** What stands in front of a key in a header. */
const scheme = /^(?:bearer|token|basic|apikey|key)[ \t]+(\S+)$/i;

/**
 * What of a value is secret by itself: the whole, the key behind `Bearer `, what `Basic` has in Base64, the password of a
 * name and a password, and that of a URL.
 */
export function secretParts(value: string): readonly string[] {
  const whole = value.trim();
  const [, key] = scheme.exec(whole) ?? [];
  const pair = key !== undefined && /^basic/i.test(whole) ? Buffer.from(key, "base64").toString("utf8") : key;
  const parts = [whole, key, pair, passwordOf(pair ?? whole), urlPassword(whole)];
  return [...new Set(parts.filter((part) => part !== undefined))];
}

/** Of `name:password`. */
function passwordOf(text: string): string | undefined {
  return /^[^\s:/]+:([^\s/][^\s]*)$/.exec(text)?.[1];
}

function urlPassword(text: string): string | undefined {
  if (!text.includes("://") || !URL.canParse(text)) return undefined;
  const { password } = new URL(text);
  if (password === "") return undefined;
  try {
    return decodeURIComponent(password);
  } catch {
    return password; // It was written as it is, with a "%" in it.
  }
}
