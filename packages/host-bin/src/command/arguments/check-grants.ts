import { clippedLine } from "@incipit/schema/text";
import { readGrant } from "@incipit/schema";
import { UsageError } from "../registry/usage-error.ts";

/** A separate file, so that other commands do not load its code. */
export function checkGrants(given: readonly string[]): void {
  for (const text of given) {
    const read = readGrant(text);
    if (read.kind === "wrong")
      throw new UsageError(
        `"--allow ${clippedLine(text, { maxCharacters: 200 })}" cannot be used as a grant: ${read.why}`,
      );
  }
}
