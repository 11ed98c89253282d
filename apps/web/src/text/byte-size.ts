const encoder = new TextEncoder();

/** Returns the UTF-8 size of a text. */
export function byteSize(text: string): number {
  return encoder.encode(text).length;
}
