import type { MessagePart } from "@incipit/schema";

/**
 * Formats a system message in the middle of a history as a marked user message, because not every vendor supports
 * one there. Keeps its position, so that the prefix stays stable.
 */
export function lateInstructions(text: string): MessagePart {
  return { type: "text", text: `<system-instructions>\n${text.toWellFormed()}\n</system-instructions>` };
}
