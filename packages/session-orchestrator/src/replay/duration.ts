import type { Step } from "@incipit/schema";

/** At least 0 if the clock moved backwards. */
export function durationMs({ startedAt, endedAt }: Pick<Step, "startedAt" | "endedAt">): number | null {
  return endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
