const encoder = new TextEncoder();

/** Returns the size in UTF-8. */
export function byteSize(text: string): number {
  return encoder.encode(text).length;
}
