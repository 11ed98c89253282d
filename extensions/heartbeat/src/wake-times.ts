import { minuteAt } from "@incipit/gateway-protocol";

const minuteMs = 60_000;
const dayMinutes = 1_440;

export interface WakeTimes {
  readonly everyMs: number;
  readonly activeHours: readonly [string, string] | undefined;
  readonly timeZone: string;
}

/** Counts from the anchor, within the active hours. */
export function nextWakeMs(afterMs: number, anchorMs: number, times: WakeTimes): number {
  const { everyMs } = times;
  let atMs = anchorMs + Math.max(1, Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs;
  // Two days cover every time of day, even across a clock change.
  for (const endMs = atMs + 2 * dayMinutes * minuteMs; atMs < endMs; atMs += everyMs)
    if (isActive(atMs, times)) return atMs;
  return atMs;
}

function isActive(atMs: number, { activeHours, timeZone }: WakeTimes): boolean {
  if (activeHours === undefined) return true;
  const [from, to] = activeHours.map(minuteOf);
  if (from === undefined || to === undefined) return true;
  const minute = minuteAt(atMs, timeZone);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}
