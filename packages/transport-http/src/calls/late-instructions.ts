import type { MessagePart } from "@incipit/schema";

/**
 * What a client tells a model in the middle of a history, which not every vendor has a place for: a message of the user, marked
 * as what it is. It keeps its place, so that what was sent before stays as it was.
 */
export function lateInstructions(text: string): MessagePart {
  return { type: "text", text: `<system-instructions>\n${text.toWellFormed()}\n</system-instructions>` };
}
