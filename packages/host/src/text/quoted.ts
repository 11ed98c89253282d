import { shownLine } from "./shown-text.ts";

/** In quotes, with everything escaped that a terminal does not show as it is: what a stranger wrote, for a person to judge. */
export function quoted(text: string, { maxCharacters = 2_000 }: { readonly maxCharacters?: number } = {}): string {
  const shown = shownLine(JSON.stringify(text.slice(0, maxCharacters)));
  const hidden = text.length - maxCharacters;
  return hidden > 0 ? `${shown} (and ${hidden} characters more)` : shown;
}
