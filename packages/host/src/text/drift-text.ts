import type { DriftCause, PromptDrift } from "@incipit/schema";
import { dollars } from "./audit-text.ts";
import { clippedLine } from "./shown-text.ts";
import { tokenText } from "./token-text.ts";

/** What made a part of a prompt another one, in a line. */
export function causeText({ kind, name, detail }: DriftCause): string {
  // What the detail names itself is not said twice.
  const isNamed = name === "" || (kind === "template" && detail.includes(name));
  return clippedLine(`${kind}${isNamed ? "" : ` ${name}`}: ${detail}`, { maxCharacters: 300 });
}

/** The line above a part of a diff. */
export function hunkHead({
  oldStart,
  oldLines,
  newStart,
  newLines,
}: Pick<PromptDrift["hunks"][number], "newLines" | "newStart" | "oldLines" | "oldStart">): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

/** What a rebuild costs, behind "A rebuild". */
export function rebuildCostText({ tokens, usd, firstChangedByte }: PromptDrift["rebuildCost"]): string {
  const price = usd === null ? "" : `, ${dollars(usd)}`;
  return `has ${tokenText(tokens)} read again, from byte ${firstChangedByte ?? 0} of the prompt on${price}`;
}
