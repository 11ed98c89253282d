import { shorten } from "./shorten.ts";

/** Returns the start of a text as one line, with single spaces; reads only the start of a long text. */
export function oneLine(text: string, maxLength = 200): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replaceAll(/\s+/g, " ")
    .trim();
  return shorten(line, maxLength);
}
