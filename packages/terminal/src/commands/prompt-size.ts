import { shaText, tokenText } from "@incipit/host/text";
import type { Explain } from "@incipit/schema";

/** How large a prompt is, and its hash as far as a row has room for it. */
export function sizeText(
  { sizeBytes, tokens, sha256 }: Pick<Explain, "sizeBytes" | "tokens" | "sha256">,
  width: number,
): string {
  return shaText(sha256, (hash) => `${sizeBytes} bytes, ${tokenText(tokens)}, SHA-256 ${hash}`, width);
}
