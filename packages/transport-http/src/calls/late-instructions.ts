import type { MessagePart } from "@incipit/schema";

/**
 * Not every vendor supports a system message in the middle of a history. It keeps its position, so that the prefix
 * stays stable.
 */
export function lateInstructions(text: string): MessagePart {
  return { type: "text", text: `<system-instructions>\n${text.toWellFormed()}\n</system-instructions>` };
}
