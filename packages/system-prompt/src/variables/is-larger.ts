/** Whether a text has more bytes. It has at least as many as units, so a huge one is not looked through. */
export function isLarger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}
