/** Keeps a byte order mark; `undefined` for invalid UTF-8 or a NUL. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // The decoder throws only for invalid UTF-8.
  }
}
