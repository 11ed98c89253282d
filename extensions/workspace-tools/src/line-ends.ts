const lineEnd = /\r\n|\r|\n/g;

/** The line ends of a text, in their order. */
export function lineEnds(text: string): readonly string[] {
  return text.match(lineEnd) ?? [];
}

/** A text with LF for each of its line ends. */
export function toLf(text: string): string {
  return text.includes("\r") ? text.replaceAll(lineEnd, "\n") : text;
}

/** The one line end that a text has everywhere; `undefined`: it has none, or several kinds. */
export function onlyLineEnd(text: string): string | undefined {
  const ends = new Set(lineEnds(text));
  return ends.size === 1 ? [...ends][0] : undefined;
}
