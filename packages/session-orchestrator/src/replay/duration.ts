import type { Step } from "@incipit/schema";

/** How long a step took; a clock that was set back meanwhile does not make it less than nothing. `null`: it has no end. */
export function durationMs({ startedAt, endedAt }: Pick<Step, "startedAt" | "endedAt">): number | null {
  return endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
