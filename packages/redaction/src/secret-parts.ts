import { urlKeys } from "./url-keys.ts";

const scheme = /^(?:bearer|token|basic|apikey|key)[ \t]+(\S+)$/i;

/**
 * Parts that are secret on their own: the whole, the key after `Bearer `, the decoded pair of `Basic`, the password
 * of a name and password, the keys of a URL.
 */
export function secretParts(value: string): readonly string[] {
  const whole = value.trim();
  const [, key] = scheme.exec(whole) ?? [];
  const pair = key !== undefined && /^basic/i.test(whole) ? Buffer.from(key, "base64").toString("utf8") : key;
  const parts = [whole, key, pair, passwordOf(pair ?? whole), ...urlKeys(whole)];
  return [...new Set(parts.filter((part) => part !== undefined))];
}

function passwordOf(text: string): string | undefined {
  return /^[^\s:/]+:([^\s/][^\s]*)$/.exec(text)?.[1];
}
