export function sha256Of(text: string): string {
  return Bun.SHA256.hash(text, "hex");
}
