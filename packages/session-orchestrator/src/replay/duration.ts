import type { Step } from "@incipit/schema";

/** Returns a step's duration, at least 0 if the clock moved backwards; `null` without an end. */
export function durationMs({ startedAt, endedAt }: Pick<Step, "startedAt" | "endedAt">): number | null {
  return endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
