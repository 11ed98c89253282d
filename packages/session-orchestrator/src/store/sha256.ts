/** SHA-256 of the text's UTF-8, in hexadecimal digits. */
export function sha256Of(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}
