const encoder = new TextEncoder();

export function byteSize(text: string): number {
  return encoder.encode(text).length;
}
