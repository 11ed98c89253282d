import { tokenText } from "@incipit/host/text";
import type { Explain } from "@incipit/schema";

/** Characters of a hash that tell two prompts apart. */
const shortLength = 12;

/** The beginning of a hash, where all of it says too much. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, shortLength)}…`;
}

/** How large a prompt is, and its hash as far as a row has room for it. */
export function sizeText(
  { sizeBytes, tokens, sha256 }: Pick<Explain, "sizeBytes" | "tokens" | "sha256">,
  width: number,
): string {
  const hash = sha256.length <= width ? sha256 : shortHash(sha256);
  return `${sizeBytes} bytes, ${tokenText(tokens)}, SHA-256 ${hash}`;
}
