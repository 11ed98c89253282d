/** As much of a text as fits into so many UTF-8 bytes, never half a character. */
export function cutText(text: string, maxBytes: number): string {
  // No character takes less than one byte of UTF-8 for each of its UTF-16 units.
  if (text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read);
}
