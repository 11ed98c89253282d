import { Cron } from "croner";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { cronProblem } from "./cron-problem.ts";

test("cronProblem names the invalid part of an expression", () => {
  expect({
    fields: cronProblem("0 9 * *"),
    seconds: cronProblem("0 0 9 * * *"),
    minute: cronProblem("61 * * * *"),
    month: cronProblem("0 9 1 13 *"),
    weekday: cronProblem("0 9 * * MONDAY"),
    word: cronProblem("every day"),
    nickname: cronProblem("@often"),
  }).toMatchInlineSnapshot(`
    {
      "fields": "it has 4 fields, and needs five",
      "minute": ""61" is not a valid minute (0 to 59)",
      "month": ""13" is not a valid month (1 to 12)",
      "nickname": "unknown nickname "@often"; known: @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly",
      "seconds": "it has 6 fields, and needs five",
      "weekday": ""MONDAY" is not a valid weekday (0 to 7)",
      "word": "it has 2 fields, and needs five",
    }
  `);
});

test("cronProblem accepts valid expressions", () => {
  const digit = fc.integer({ min: 0, max: 70 }).map(String);
  const word = fc.constantFrom("JAN", "dec", "MON", "fri", "L", "W", "LW", "?", "*", "FRIL", "5L", "15W", "x");
  const piece = fc.oneof(digit, word);
  const joint = fc.constantFrom(",", "-", "/", "#", "");
  const field = fc.oneof(
    piece,
    fc.tuple(piece, joint, piece, fc.constantFrom("", "/2", ",3")).map((all) => all.join("")),
  );
  const expression = fc.oneof(
    fc.tuple(field, field, field, field, field).map((all) => all.join(" ")),
    fc.constantFrom(
      "@daily",
      "@yearly",
      "@WEEKLY",
      "@midnight",
      "*/5 0-6,12 L 1-3 +MON",
      "0 0 ? * MON#2",
      "0 0 * * FRIL",
    ),
  );
  const hasTimes = (text: string): boolean => {
    try {
      return new Cron(text, { paused: true, mode: "5-part" }).getPattern() !== undefined;
    } catch {
      return false;
    }
  };
  const property = fc.property(expression, (text) => {
    fc.pre(hasTimes(text));
    expect([text, cronProblem(text)]).toEqual([text, undefined]);
  });
  fc.assert(property, { numRuns: 500 });
});
