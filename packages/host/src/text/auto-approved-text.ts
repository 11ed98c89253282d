import type { UnaskedCall } from "@incipit/schema";
import { clippedLine } from "./shown-text.ts";

const maxGrants = 300;

export function autoApprovedText({ name, allowedBy }: UnaskedCall): string {
  const tool = clippedLine(name, { maxCharacters: 64 });
  return `ran unasked: ${tool}, allowed by ${clippedLine(allowedBy, { maxCharacters: maxGrants })}`;
}
