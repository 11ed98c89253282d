import { clippedLine } from "@incipit/host/text";
import { readGrant } from "@incipit/schema";
import { UsageError } from "./arguments.ts";

/** @throws {UsageError} for what is not a grant. Apart from the arguments: no other command waits for its code. */
export function checkGrants(given: readonly string[]): void {
  for (const text of given) {
    const read = readGrant(text);
    if (read.kind === "wrong")
      throw new UsageError(
        `"--allow ${clippedLine(text, { maxCharacters: 200 })}" cannot be used as a grant: ${read.why}`,
      );
  }
}
