import type { ScheduleDefinition } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { timesOf, TimesProblem } from "../times/times.ts";
import type { EngineContext } from "./engine-context.ts";
import type { StoredSchedule } from "./stored.ts";

interface NewScheduleOptions extends Pick<StoredSchedule, "source" | "paused"> {
  /** A past `at` counts as missed rather than ignored. Absent: past times are ignored. */
  readonly isPastDue?: boolean;
}

/**
 * Times count from now.
 * @throws {ServiceError} `INVALID_REQUEST` for invalid times.
 */
export function newSchedule(
  { clock, kind: { timeZone, activeHours } }: Pick<EngineContext, "clock" | "kind">,
  definition: ScheduleDefinition,
  { source, paused, isPastDue = false }: NewScheduleOptions,
): StoredSchedule {
  const anchorMs = clock.now();
  try {
    const times = timesOf(definition, { timeZone, activeHours, anchorMs });
    const fromMs = isPastDue && definition.at !== null ? Number.NEGATIVE_INFINITY : anchorMs;
    const nextMs = paused ? null : (times.next(fromMs) ?? null);
    return { definition, source, paused, anchorMs, nextMs };
  } catch (error) {
    if (error instanceof TimesProblem) throw invalidSchedule(definition.id, error.message);
    throw error;
  }
}

export function invalidSchedule(id: string, message: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", `The schedule "${id}": ${message}`);
}
