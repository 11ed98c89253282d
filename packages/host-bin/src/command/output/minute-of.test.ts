import { expect, test } from "bun:test";
import { localMinute, minuteOf } from "./minute-of.ts";

test("minuteOf and localMinute format local time, minuteOf with the zone", () => {
  const before = process.env["TZ"];
  const at = (zone: string): readonly string[] => {
    process.env["TZ"] = zone;
    return [minuteOf("2026-01-02T23:30:59.999Z"), localMinute("2026-01-02T23:30:59.999Z")];
  };
  try {
    expect(at("UTC")).toEqual(["2026-01-02 23:30 UTC", "2026-01-02 23:30"]);
    expect(at("Asia/Tokyo")[1]).toBe("2026-01-03 08:30");
    expect(at("America/New_York")[1]).toBe("2026-01-02 18:30");
  } finally {
    process.env["TZ"] = before ?? "UTC";
  }
});
