import type { StoredFileChange } from "./stored.ts";

type Held = StoredFileChange["after"];

/** What is kept of a content that is compared; `null`: there is no file. */
export function heldOf(content: Uint8Array | null): Held {
  return content === null ? null : { sha256: Bun.SHA256.hash(content, "hex"), sizeBytes: content.length };
}
