import { isTimeZone, type ScheduleDefinition } from "@incipit/schema";
import { Cron } from "croner";
import { cronProblem, cronRule } from "./cron-problem.ts";
import { everyRule, intervalMs } from "./interval.ts";
import { minuteAt, minuteOf } from "./time-zone.ts";

const dayMs = 86_400_000;

/** The message begins with the key. */
export class TimesProblem extends Error {
  override readonly name = "TimesProblem";
}

/** From a time of day until another one, which may be on the next day. */
export type ActiveHours = readonly [string, string];

/** Computed from the definition alone, in milliseconds since the Unix epoch. */
export interface Times {
  next(afterMs: number): number | undefined;
  /** Returns the last `limit` times in a range, both ends included, in ascending order. */
  last(fromMs: number, toMs: number, limit: number): readonly number[];
}

type When = Pick<ScheduleDefinition, "cron" | "every" | "at" | "timeZone">;

/**
 * @param options.anchorMs Origin of `every`.
 * @param options.activeHours Hours of `every`; absent: all.
 * @throws {TimesProblem}
 */
export function timesOf(
  when: When,
  {
    timeZone,
    anchorMs,
    activeHours,
  }: {
    readonly timeZone: string;
    readonly anchorMs: number;
    readonly activeHours?: ActiveHours | undefined;
  },
): Times {
  const given = [when.cron, when.every, when.at].filter((value) => value !== null);
  if (given.length !== 1) {
    const which = given.length === 0 ? "has none of them" : "has more than one of them";
    throw new TimesProblem(`needs one of "cron", "every" and "at", and ${which}`);
  }
  const zone = when.timeZone ?? timeZone;
  if (!isTimeZone(zone))
    throw new TimesProblem(
      `"timeZone" is ${JSON.stringify(zone)}, which is not a time zone; write one such as "Europe/Berlin" or "UTC"`,
    );
  if (when.cron !== null) return cronTimes(when.cron, zone);
  if (when.every === null) return onceAt(onceMs(when.at ?? "", zone));
  const ms = intervalMs(when.every);
  if (ms === undefined) throw new TimesProblem(`"every" is ${JSON.stringify(when.every)}; ${everyRule}`);
  return everyMs(ms, anchorMs, (atMs) => activeHours === undefined || isWithin(activeHours, minuteAt(atMs, zone)));
}

/**
 * Days and weekdays are alternatives when both are given, as in other crons. A time of day skipped by a clock
 * change occurs at the end of the gap, and a repeated one occurs once; `*` and steps follow the wall clock.
 */
function cronTimes(expression: string, timezone: string): Times {
  const problem = cronProblem(expression);
  if (problem !== undefined)
    throw new TimesProblem(
      `"cron" is ${JSON.stringify(expression)}, which is not a valid cron expression: ${problem}; ${cronRule}`,
    );
  let job: Cron;
  try {
    job = new Cron(expression, { timezone, paused: true, mode: "5-part", fixedTimeRule: "no-wildcard" });
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/^Cron\w+: /, "");
    throw new TimesProblem(
      `"cron" is ${JSON.stringify(expression)}, which is not a valid cron expression: ${why}; ${cronRule}`,
    );
  }
  return {
    next: (afterMs) => job.nextRun(new Date(afterMs))?.getTime(),
    last: (fromMs, toMs, limit) =>
      // `previous` excludes its reference.
      job
        .previousRuns(limit, new Date(toMs + 1))
        .map((date) => date.getTime())
        .filter((atMs) => atMs >= fromMs && atMs <= toMs)
        .toReversed(),
  };
}

/** Times at a fixed interval from an anchor, which long runs and restarts do not shift. */
function everyMs(ms: number, anchorMs: number, isActive: (atMs: number) => boolean): Times {
  const before = (atMs: number): number => Math.floor((atMs - anchorMs) / ms);
  const time = (count: number): number => anchorMs + count * ms;
  return {
    next(afterMs) {
      let atMs = time(Math.max(1, before(afterMs) + 1));
      // Two days cover every time of day, even across a clock change.
      for (const endMs = atMs + 2 * dayMs; atMs < endMs; atMs += ms) if (isActive(atMs)) return atMs;
      return atMs;
    },
    last(fromMs, toMs, limit) {
      const oldest = Math.max(1, before(fromMs - 1) + 1);
      const found: number[] = [];
      for (let count = before(toMs); count >= oldest && found.length < limit; count -= 1)
        if (isActive(time(count))) found.unshift(time(count));
      return found;
    },
  };
}

function isWithin([from, to]: ActiveHours, minute: number): boolean {
  const [first, end] = [minuteOf(from), minuteOf(to)];
  return first < end ? minute >= first && minute < end : minute >= first || minute < end;
}

function onceMs(at: string, timezone: string): number {
  const [, local, offset] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d{1,3})?(Z|[+-]\d\d:\d\d)?$/.exec(at) ?? [];
  const ms =
    local === undefined
      ? Number.NaN
      : offset === undefined
        ? zonedMs(local, timezone)
        : zonedMs(local, "UTC") + Date.parse(at) - Date.parse(`${local}Z`);
  if (ms >= 0) return ms; // Sortable keys have no sign.
  throw new TimesProblem(
    `"at" is ${JSON.stringify(at)}; write a date from 1970 on and a time, such as "2026-12-24T18:00", or with an offset: "2026-12-24T18:00+01:00"`,
  );
}

function zonedMs(local: string, timezone: string): number {
  const text = local.length === 16 ? `${local}:00` : local;
  try {
    const isThere = new Date(`${text}Z`).toISOString().startsWith(text);
    const once = isThere ? new Cron(text, { timezone, paused: true, allowPast: true }).getOnce() : null;
    return once?.getTime() ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function onceAt(atMs: number): Times {
  return {
    next: (afterMs) => (atMs > afterMs ? atMs : undefined),
    last: (fromMs, toMs) => (atMs >= fromMs && atMs <= toMs ? [atMs] : []),
  };
}
