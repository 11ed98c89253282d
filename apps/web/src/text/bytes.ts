const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

export function byteSize(text: string): number {
  return bytesOf(text).length;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
