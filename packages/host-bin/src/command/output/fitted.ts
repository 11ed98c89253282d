const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What is one character to its reader, each. */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** A text in so many columns of a terminal, where a character may take none, one or two; what is cut off ends with `…`. */
export function fitted(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  let taken = 0;
  for (const grapheme of graphemesOf(text)) {
    taken += Bun.stringWidth(grapheme);
    if (taken > width - 1) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** The same, filled up with spaces. */
export function padded(text: string, width: number): string {
  const shown = fitted(text, width);
  return filled(shown, width);
}

/** A text with spaces behind it to so many columns, or as it is where it has more. */
export function filled(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
}
