import type { StoredFileChange } from "./stored.ts";

type ContentDigest = StoredFileChange["after"];

/** Returns hash and size of a file's content for comparison; `null` without a file. */
export function contentDigest(content: Uint8Array | null): ContentDigest {
  return content === null ? null : { sha256: Bun.SHA256.hash(content, "hex"), sizeBytes: content.length };
}
