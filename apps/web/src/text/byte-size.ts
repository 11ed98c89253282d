const encoder = new TextEncoder();

/** The bytes of a text as it is sent: UTF-8. */
export function byteSize(text: string): number {
  return encoder.encode(text).length;
}
