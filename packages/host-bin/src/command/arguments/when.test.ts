import { expect, test } from "bun:test";
import { whenOf } from "./when.ts";

const now = new Date("2026-03-01T10:30:00.000Z");
const at = (text: string): string => whenOf(text, { option: "since", now }).toISOString();

test("whenOf parses common notations of past times", () => {
  const words = [
    "45m",
    "3h",
    "2d",
    "1w",
    "today",
    "yesterday",
    "2026-02-14",
    "2026-02-14T08:00Z",
    "2026-02-14T08:00",
  ];

  expect(words.map(at)).toEqual([
    "2026-03-01T09:45:00.000Z",
    "2026-03-01T07:30:00.000Z",
    "2026-02-27T10:30:00.000Z",
    "2026-02-22T10:30:00.000Z",
    "2026-03-01T00:00:00.000Z",
    "2026-02-28T00:00:00.000Z",
    "2026-02-14T00:00:00.000Z",
    "2026-02-14T08:00:00.000Z",
    "2026-02-14T08:00:00.000Z",
  ]);
});

test("whenOf rejects an invalid time and names the option", () => {
  for (const text of ["", "soon", "0d", "2y", "2026-13-01", "5", "-1d"])
    expect(() => at(text)).toThrow(`"--since ${text}" is not a time`);
});
