import type { TurnEvent } from "@incipit/schema";

export function eventLength(event: TurnEvent): number {
  if ("text" in event) return event.text.length;
  return "input" in event ? event.input.length + ("output" in event ? (event.output?.length ?? 0) : 0) : 0;
}
