/** On one line and without what steers a terminal: a model must not write what the command itself says. */
export function shownLine(text: string, { maxCharacters }: { readonly maxCharacters: number }): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  if (line.length <= maxCharacters) return line;
  return `${line.slice(0, maxCharacters)}… (${line.length - maxCharacters} characters more)`;
}
