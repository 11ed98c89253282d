import { shorten } from "./shorten.ts";

/** The start of a text of any length, with single spaces. */
export function oneLine(text: string, maxLength = 200): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replaceAll(/\s+/g, " ")
    .trim();
  return shorten(line, maxLength);
}
