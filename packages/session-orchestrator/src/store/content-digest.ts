import type { StoredFileChange } from "./stored.ts";

type ContentDigest = StoredFileChange["after"];

export function contentDigest(content: Uint8Array | null): ContentDigest {
  return content === null ? null : { sha256: Bun.SHA256.hash(content, "hex"), sizeBytes: content.length };
}
