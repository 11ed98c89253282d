/** Bytes are at least UTF-16 units, so a huge text is not scanned. */
export function isLarger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}
