import { expect, test } from "bun:test";
import { nextWakeMs, type WakeTimes } from "./wake-times.ts";

const hourMs = 3_600_000;
const anchor = Date.parse("2026-03-28T07:10:00Z");

function next(after: string, times: Partial<WakeTimes> = {}): string {
  const all = { everyMs: hourMs, activeHours: undefined, timeZone: "Europe/Berlin", ...times };
  return new Date(nextWakeMs(Date.parse(after), anchor, all)).toISOString();
}

test("nextWakeMs counts from the anchor and never returns the anchor", () => {
  expect(next("2026-03-28T07:10:00Z")).toBe("2026-03-28T08:10:00.000Z");
  expect(next("2026-03-28T08:09:59Z")).toBe("2026-03-28T08:10:00.000Z");
  expect(next("2026-03-28T08:10:00Z")).toBe("2026-03-28T09:10:00.000Z");
  expect(next("2020-01-01T00:00:00Z")).toBe("2026-03-28T08:10:00.000Z");
});

test("nextWakeMs respects active hours across clock changes and midnight", () => {
  const day = { activeHours: ["08:00", "20:00"] as const };
  const night = { activeHours: ["22:00", "02:00"] as const };

  expect(next("2026-03-28T17:10:00Z", day)).toBe("2026-03-28T18:10:00.000Z"); // 19:10 local time
  expect(next("2026-03-28T18:10:00Z", day)).toBe("2026-03-29T06:10:00.000Z"); // 08:10, one hour more of UTC offset
  expect(next("2026-03-28T12:00:00Z", night)).toBe("2026-03-28T21:10:00.000Z");
  expect(next("2026-03-29T00:10:00Z", night)).toBe("2026-03-29T20:10:00.000Z");
});

test("nextWakeMs returns a time even if none falls within the hours", () => {
  const times = { everyMs: 24 * hourMs, activeHours: ["12:00", "12:05"] as const };

  expect(Date.parse(next("2026-03-28T12:00:00Z", times))).toBeGreaterThan(anchor);
});
