import type { TurnEvent } from "@incipit/schema";

/** Approximate memory size, in UTF-16 units. */
export function eventLength(event: TurnEvent): number {
  if ("text" in event) return event.text.length;
  return "input" in event ? event.input.length + ("output" in event ? (event.output?.length ?? 0) : 0) : 0;
}
