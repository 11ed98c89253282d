const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text in so many columns of a terminal, where a character may take none, one or two; what is cut off ends with `…`. */
export function fitted(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    taken += Bun.stringWidth(segment);
    if (taken > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The same, filled up with spaces. */
export function padded(text: string, width: number): string {
  const shown = fitted(text, width);
  return shown + " ".repeat(Math.max(0, width - Bun.stringWidth(shown)));
}
