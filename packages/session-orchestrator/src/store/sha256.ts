/** Returns the hexadecimal SHA-256 of the text's UTF-8 bytes. */
export function sha256Of(text: string): string {
  return Bun.SHA256.hash(text, "hex");
}
