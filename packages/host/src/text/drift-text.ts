import type { DriftCause, PromptDrift } from "@incipit/schema";
import { dollars } from "./audit-text.ts";
import { clippedLine } from "./shown-text.ts";
import { tokenText } from "./token-text.ts";

/** Formats why a part of a prompt changed, on one line. */
export function causeText({ kind, name, detail }: DriftCause): string {
  // Omits a name that the detail contains.
  const isNamed = name === "" || (kind === "template" && detail.includes(name));
  return clippedLine(`${kind}${isNamed ? "" : ` ${name}`}: ${detail}`, { maxCharacters: 300 });
}

export function hunkHead({
  oldStart,
  oldLines,
  newStart,
  newLines,
}: Pick<PromptDrift["hunks"][number], "newLines" | "newStart" | "oldLines" | "oldStart">): string {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

/** Formats the cost of a rebuild, to follow "A rebuild". */
export function rebuildCostText({ tokens, usd, firstChangedByte }: PromptDrift["rebuildCost"]): string {
  const price = usd === null ? "" : `, ${dollars(usd)}`;
  return `has ${tokenText(tokens)} read again, from byte ${firstChangedByte ?? 0} of the prompt on${price}`;
}
