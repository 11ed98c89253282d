import { urlKeys } from "./url-keys.ts";

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
  const parts = [whole, key, pair, passwordOf(pair ?? whole), ...urlKeys(whole)];
  return [...new Set(parts.filter((part) => part !== undefined))];
}

/** Password of `name:password`. */
function passwordOf(text: string): string | undefined {
  return /^[^\s:/]+:([^\s/][^\s]*)$/.exec(text)?.[1];
}
