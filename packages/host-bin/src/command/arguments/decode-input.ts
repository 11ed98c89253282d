import { decodeText } from "@incipit/schema";
import { UsageError } from "./arguments.ts";

/** Returns the text of a file or of standard input; `what` names it in a sentence. @throws {UsageError} For what is no text. */
export function decode(bytes: Uint8Array, what: string): string {
  const text = decodeText(bytes)?.text;
  if (text !== undefined) return text;
  throw new UsageError(
    `Cannot take ${what}: it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8`,
  );
}
