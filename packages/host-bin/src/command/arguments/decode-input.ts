import { decodeText } from "@incipit/schema";
import { UsageError } from "../registry/usage-error.ts";

/** @throws {UsageError} when the bytes are not text. */
export function decode(bytes: Uint8Array, what: string): string {
  const text = decodeText(bytes)?.text;
  if (text !== undefined) return text;
  throw new UsageError(
    `Cannot take ${what}: it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8`,
  );
}
