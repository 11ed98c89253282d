import type { NewEvent } from "./event-log.ts";
import { isDelta, isSamePart, maxDeltaLength } from "./stored-deltas.ts";

export interface TimedEvent {
  readonly event: NewEvent;
  readonly at: string;
}

export function joinDeltas(events: readonly TimedEvent[]): readonly TimedEvent[] {
  const joined: TimedEvent[] = [];
  for (const { event, at } of events) {
    if (!isDelta(event)) {
      joined.push({ event, at });
      continue;
    }
    for (const text of slices(event.text)) {
      const last = joined.at(-1);
      if (
        last !== undefined &&
        isDelta(last.event) &&
        isSamePart(last.event, event) &&
        last.event.text.length + text.length <= maxDeltaLength
      )
        joined[joined.length - 1] = { event: { ...last.event, text: last.event.text + text }, at: last.at };
      else joined.push({ event: { ...event, text }, at });
    }
  }
  return joined;
}

/** Keeps surrogate pairs together. */
function slices(text: string): readonly string[] {
  if (text.length <= maxDeltaLength) return [text];
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + maxDeltaLength, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
