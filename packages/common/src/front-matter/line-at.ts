/** Range of a text, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Returns the end of the line at `start`, without and with its line break. */
export function lineAt(text: string, start: number): { readonly end: number; readonly next: number } {
  const feed = text.indexOf("\n", start);
  if (feed === -1) return { end: text.length, next: text.length };
  return { end: feed > start && text[feed - 1] === "\r" ? feed - 1 : feed, next: feed + 1 };
}
