/** UTF-8 as it is, a byte order mark kept; `undefined`: it is not text (not UTF-8, or with a NUL). */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // The decoder throws for this one reason.
  }
}
