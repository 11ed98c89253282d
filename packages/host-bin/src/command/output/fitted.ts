const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

export function graphemesOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Characters may take 0, 1 or 2 columns. */
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

export function padded(text: string, width: number): string {
  const shown = fitted(text, width);
  return filled(shown, width);
}

export function filled(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
}
