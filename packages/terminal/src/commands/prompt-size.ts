import { shaText, tokenText } from "@incipit/cli-text";
import type { Explain } from "@incipit/schema";

export function sizeText(
  { sizeBytes, tokens, sha256 }: Pick<Explain, "sizeBytes" | "tokens" | "sha256">,
  width: number,
): string {
  return shaText(sha256, (hash) => `${sizeBytes} bytes, ${tokenText(tokens)}, SHA-256 ${hash}`, width);
}
