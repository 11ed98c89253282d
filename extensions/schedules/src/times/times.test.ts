import { sampleOf, sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { timesOf, TimesProblem, type ActiveHours, type Times } from "./times.ts";

const nothing = { cron: null, every: null, at: null, timeZone: null };
const minuteMs = 60_000;

function times(when: Partial<typeof nothing> | Readonly<Record<string, string>>, anchorMs = 0): Times {
  return timesOf({ ...nothing, ...when }, { timeZone: "UTC", anchorMs });
}

function from(at: string, count: number, of: Times): readonly string[] {
  const found: string[] = [];
  for (let ms: number | undefined = Date.parse(at) - 1; found.length < count;) {
    ms = of.next(ms);
    if (ms === undefined) break;
    found.push(new Date(ms).toISOString().replace(":00.000", ""));
  }
  return found;
}

interface Zoned {
  readonly epochMilliseconds: number;
  readonly hour: number;
  readonly minute: number;
  getTimeZoneTransition(direction: "next" | "previous"): Zoned | null;
  toPlainDate(): PlainDate;
}
interface PlainDate {
  add(duration: { readonly days: number }): PlainDate;
  toPlainDateTime(time: string): PlainDateTime;
}
interface PlainDateTime {
  toZonedDateTime(zone: string, options?: { readonly disambiguation: "earlier" | "later" }): Zoned;
}
declare const Temporal: { readonly PlainDateTime: { from(text: string): PlainDateTime } };

const time = { hour: 2, minute: 30 };
const zones = sampleOf(Intl.supportedValuesOf("timeZone"));

/** At the end of a gap, and at the first of a repeated hour. */
function timeOfDay(date: PlainDate, zone: string): number {
  const local = date.toPlainDateTime(`0${time.hour}:${time.minute}`);
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (earlier.hour === time.hour && earlier.minute === time.minute) return earlier.epochMilliseconds;
  const behind = local.toZonedDateTime(zone, { disambiguation: "later" });
  return behind.getTimeZoneTransition("previous")?.epochMilliseconds ?? Number.NaN;
}

/** Days of clock changes, and one ordinary day per year, from 2026. */
function daysOf(zone: string, years: number): readonly PlainDate[] {
  const start = Temporal.PlainDateTime.from("2026-01-01T12:00").toZonedDateTime(zone);
  const days = Array.from({ length: years }, (_, year) => start.toPlainDate().add({ days: year * 365 }));
  const end = start.epochMilliseconds + years * 365 * 86_400_000;
  for (let at = start.getTimeZoneTransition("next"); at !== null && at.epochMilliseconds < end;) {
    days.push(at.toPlainDate());
    at = at.getTimeZoneTransition("next");
  }
  return days;
}

test("a time of day occurs daily at every clock change of ten years in all zones", () => {
  const wrong: string[] = [];
  for (const zone of zones) {
    const of = timesOf(
      { ...nothing, cron: `${time.minute} ${time.hour} * * *`, timeZone: zone },
      { timeZone: "UTC", anchorMs: 0 },
    );
    for (const day of daysOf(zone, 10)) {
      const expected = [-1, 0, 1].map((days) => timeOfDay(day.add({ days }), zone));
      const [first = 0, , last = 0] = expected;
      const found = [of.next(first - 1), of.next(first), of.next(expected[1] ?? 0)];
      if (String(found) !== String(expected) || String(of.last(first, last, 9)) !== String(expected))
        wrong.push(`${zone}: ${found.map((ms) => new Date(ms ?? 0).toISOString()).join(" ")}`);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("last() returns the same times as next() for any expression, zone and span", () => {
  const field = (max: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant("*"),
      fc.integer({ min: 0, max }).map(String),
      fc.integer({ min: 2, max: Math.min(max, 30) }).map((step) => `*/${step}`),
      fc
        .uniqueArray(fc.integer({ min: 0, max }), { minLength: 2, maxLength: 4 })
        .map((values) => values.toSorted((a, b) => a - b).join(",")),
    );
  const when = fc.record({
    cron: fc.tuple(field(59), field(23)).map(([minute, hour]) => `${minute} ${hour} * * *`),
    timeZone: fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kolkata"),
  });
  const start = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
  const property = fc.property(when, start, fc.integer({ min: 1, max: 3_000 }), (given, fromMs, minutes) => {
    const of = times(given);
    const toMs = fromMs + minutes * minuteMs;
    const all: number[] = [];
    for (let ms = of.next(fromMs - 1); ms !== undefined && ms <= toMs && all.length < 400; ms = of.next(ms))
      all.push(ms);
    fc.pre(all.length < 400);
    expect(of.last(fromMs, toMs, 400)).toEqual(all);
    expect(of.last(fromMs, toMs, 2)).toEqual(all.slice(-2));
  });
  fc.assert(property, { numRuns: sampleCount(100) });
}, 300_000);

test("a skipped time of day moves to the gap's end, and a repeated one occurs once", () => {
  const berlin = times({ cron: "30 2 * * *", timeZone: "Europe/Berlin" });
  const both = times({ cron: "30 2,14 * * *", timeZone: "Europe/Berlin" });

  expect(from("2026-03-28T12:00Z", 2, berlin)).toEqual(["2026-03-29T01:00Z", "2026-03-30T00:30Z"]);
  expect(from("2026-10-24T12:00Z", 2, berlin)).toEqual(["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
  expect(from("2026-10-25T00:00Z", 2, both)).toEqual(["2026-10-25T00:30Z", "2026-10-25T13:30Z"]);
});

test("steps follow the wall clock: none in a skipped hour, twice in a repeated one", () => {
  const of = times({ cron: "*/30 * * * *", timeZone: "Europe/Berlin" });

  expect(from("2026-03-29T00:30Z", 3, of)).toEqual(["2026-03-29T00:30Z", "2026-03-29T01:00Z", "2026-03-29T01:30Z"]);
  expect(from("2026-10-25T00:30Z", 3, of)).toEqual(["2026-10-25T00:30Z", "2026-10-25T01:00Z", "2026-10-25T01:30Z"]);
});

test("an interval counts from the schedule's creation and never shifts", () => {
  const anchorMs = Date.parse("2026-11-23T10:07:00Z");
  const of = times({ every: "15m" }, anchorMs);

  expect(from("2026-11-23T09:00Z", 3, of)).toEqual(["2026-11-23T10:22Z", "2026-11-23T10:37Z", "2026-11-23T10:52Z"]);
  expect(of.last(anchorMs, anchorMs + 60 * minuteMs, 2)).toEqual([
    anchorMs + 45 * minuteMs,
    anchorMs + 60 * minuteMs,
  ]);
  expect(of.last(anchorMs + 1, anchorMs + 14 * minuteMs, 2)).toEqual([]);
});

test("a single time is read in the zone, with seconds or an offset, and occurs once", () => {
  const at = (text: string, timeZone = "Europe/Berlin"): readonly string[] =>
    from("2026-01-01T00:00Z", 2, times({ at: text, timeZone }));

  expect(at("2026-12-24T18:00")).toEqual(["2026-12-24T17:00Z"]);
  expect(at("2026-12-24T18:00:00")).toEqual(["2026-12-24T17:00Z"]);
  expect(at("2026-12-24T18:00-05:00")).toEqual(["2026-12-24T23:00Z"]);
  expect(at("2026-12-24T18:00Z")).toEqual(["2026-12-24T18:00Z"]);
  expect(at("2020-12-24T18:00Z")).toEqual([]);
  expect(times({ at: "2020-12-24T18:00Z" }).last(0, Date.UTC(2026), 1)).toEqual([Date.UTC(2020, 11, 24, 18)]);
});

test("invalid times are rejected with the key, the value and an example", () => {
  const message = (when: Readonly<Record<string, string>>): string => {
    try {
      times(when);
      return "was taken";
    } catch (error) {
      return error instanceof TimesProblem ? error.message : String(error);
    }
  };
  expect({
    nothing: message({}),
    two: message({ cron: "0 9 * * *", every: "1h" }),
    minute: message({ cron: "61 * * * *" }),
    fields: message({ cron: "0 9 * *" }),
    seconds: message({ cron: "0 0 9 * * *" }),
    word: message({ cron: "every day" }),
    unit: message({ every: "15 minutes" }),
    zero: message({ every: "0s" }),
    long: message({ every: "367d" }),
    zone: message({ cron: "0 9 * * *", timeZone: "Mars/Base" }),
    day: message({ at: "2026-02-31T10:00" }),
    date: message({ at: "tomorrow" }),
  }).toMatchInlineSnapshot(`
    {
      "date": ""at" is "tomorrow"; write a date from 1970 on and a time, such as "2026-12-24T18:00", or with an offset: "2026-12-24T18:00+01:00"",
      "day": ""at" is "2026-02-31T10:00"; write a date from 1970 on and a time, such as "2026-12-24T18:00", or with an offset: "2026-12-24T18:00+01:00"",
      "fields": ""cron" is "0 9 * *", which is not a valid cron expression: it has 4 fields, and needs five; write minute, hour, day of month, month and weekday, such as "0 9 * * 1-5"",
      "long": ""every" is "367d"; write a number and s, m, h or d, from "1s" to "366d", such as "15m"",
      "minute": ""cron" is "61 * * * *", which is not a valid cron expression: "61" is not a valid minute (0 to 59); write minute, hour, day of month, month and weekday, such as "0 9 * * 1-5"",
      "nothing": "needs one of "cron", "every" and "at", and has none of them",
      "seconds": ""cron" is "0 0 9 * * *", which is not a valid cron expression: it has 6 fields, and needs five; write minute, hour, day of month, month and weekday, such as "0 9 * * 1-5"",
      "two": "needs one of "cron", "every" and "at", and has more than one of them",
      "unit": ""every" is "15 minutes"; write a number and s, m, h or d, from "1s" to "366d", such as "15m"",
      "word": ""cron" is "every day", which is not a valid cron expression: it has 2 fields, and needs five; write minute, hour, day of month, month and weekday, such as "0 9 * * 1-5"",
      "zero": ""every" is "0s"; write a number and s, m, h or d, from "1s" to "366d", such as "15m"",
      "zone": ""timeZone" is "Mars/Base", which is not a time zone; write one such as "Europe/Berlin" or "UTC"",
    }
  `);
});

function nextIn(activeHours: ActiveHours, after: string, every = "1h"): string {
  const anchorMs = Date.parse("2026-03-28T07:10:00Z");
  const of = timesOf({ ...nothing, every }, { timeZone: "Europe/Berlin", anchorMs, activeHours });
  return new Date(of.next(Date.parse(after)) ?? 0).toISOString();
}

test("`every` respects active hours across clock changes and midnight", () => {
  const day = ["08:00", "20:00"] as const;
  const night = ["22:00", "02:00"] as const;

  expect(nextIn(day, "2020-01-01T00:00:00Z")).toBe("2026-03-28T08:10:00.000Z");
  expect(nextIn(day, "2026-03-28T17:10:00Z")).toBe("2026-03-28T18:10:00.000Z"); // 19:10 local time
  expect(nextIn(day, "2026-03-28T18:10:00Z")).toBe("2026-03-29T06:10:00.000Z"); // 08:10, one hour more of UTC offset
  expect(nextIn(night, "2026-03-28T12:00:00Z")).toBe("2026-03-28T21:10:00.000Z");
  expect(nextIn(night, "2026-03-29T00:10:00Z")).toBe("2026-03-29T20:10:00.000Z");
});

test("`every` has a next time even if none falls within the active hours, and then no last one", () => {
  const activeHours = ["12:00", "12:05"] as const;
  const of = timesOf({ ...nothing, every: "24h" }, { timeZone: "UTC", anchorMs: 0, activeHours });

  expect(of.next(0)).toBeGreaterThan(0);
  expect(of.last(0, 10 * 86_400_000, 24)).toEqual([]);
});
