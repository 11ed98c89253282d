import { escapeHiddenLine } from "@incipit/schema/text";

/** Escapes all characters that a terminal does not print literally. */
export function quoted(text: string, { maxCharacters = 2_000 }: { readonly maxCharacters?: number } = {}): string {
  const shown = escapeHiddenLine(JSON.stringify(text.slice(0, maxCharacters)));
  const hidden = text.length - maxCharacters;
  return hidden > 0 ? `${shown} (and ${hidden} characters more)` : shown;
}

export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
