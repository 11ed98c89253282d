/** Returns the longest beginning of whole characters that has at most `maxBytes` bytes in UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
