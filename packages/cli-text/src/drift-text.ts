import type { DriftCause, PromptDrift } from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";
import { dollars } from "./audit-text.ts";
import { tokenText } from "./token-text.ts";

export function causeText({ kind, name, detail }: DriftCause): string {
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

/** Follows "A rebuild". */
export function rebuildCostText({ tokens, usd, firstChangedByte }: PromptDrift["rebuildCost"]): string {
  const price = usd === null ? "" : `, ${dollars(usd)}`;
  return `costs a new read of ${tokenText(tokens)}, from byte ${firstChangedByte ?? 0} of the prompt on${price}`;
}
