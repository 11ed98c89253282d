/** As much of a text as fits into so many UTF-8 bytes, never half a character. */
export function cutText(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
