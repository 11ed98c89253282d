import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  isJsonTextTooDeep,
  isTooDeep,
  jsonTextProblem,
  maxJsonDepth,
  maxJsonValues,
  parseJson,
} from "./json-bounds.ts";

function nested(levels: number, open = "[", close = "]"): string {
  return open.repeat(levels) + (open.endsWith(":") ? "1" : "") + close.repeat(levels);
}

test("[attack:bounds-json-depth] parseJson accepts nesting up to the limit and rejects one level more", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
    ['{"a":1,"b":', "}"],
  ] as const) {
    expect(() => parseJson(nested(maxJsonDepth - 1, open, close))).not.toThrow();
    expect(() => parseJson(nested(maxJsonDepth + 1, open, close))).toThrow("nested more than 128 levels deep");
  }
  expect(() => parseJson("[".repeat(1_000))).toThrow(SyntaxError);
});

test("parseJson ignores brackets within strings, with any escapes", () => {
  const bracket = "[{".repeat(500);
  for (const text of [bracket, `${bracket}"`, `\\"${bracket}`, `\\${bracket}\\`, `"${bracket}\\\\"`])
    expect(parseJson(JSON.stringify([text, text]))).toEqual([text, text]);
});

test("parseJson leaves invalid JSON to the parser", () => {
  for (const text of ["", " ".repeat(200), `"${"[".repeat(200)}`, "]".repeat(200), "a".repeat(200)])
    expect(() => parseJson(text)).toThrow(SyntaxError);
});

test("isTooDeep and isJsonTextTooDeep agree for any value and depth", () => {
  const property = fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 * maxJsonDepth }), (value, levels) => {
    let outer: unknown = value;
    for (let level = 0; level < levels; level += 1) outer = level % 2 === 0 ? [outer, "]"] : { '"[': outer };
    expect(isTooDeep(outer)).toBe(isJsonTextTooDeep(JSON.stringify(outer)));
  });
  fc.assert(property);
});

test("isTooDeep handles a million levels, many values, and circular references", () => {
  const self: unknown[] = [];
  self.push(self);

  expect(isTooDeep(JSON.parse(nested(1_000_000)))).toBe(true);
  expect(isTooDeep(Array.from({ length: 100_000 }, () => []))).toBe(false);
  expect(isTooDeep(self)).toBe(true);
});

test("isTooDeep and isJsonTextTooDeep use the same limit", () => {
  for (const [levels, isOver] of [
    [maxJsonDepth, false],
    [maxJsonDepth + 1, true],
  ] as const) {
    const text = nested(levels);
    expect(isJsonTextTooDeep(text)).toBe(isOver);
    expect(isTooDeep(JSON.parse(text))).toBe(isOver);
  }
});

test("[attack:bounds-json-width] parseJson accepts values up to the limit and rejects one more before parsing", () => {
  const numbers = (count: number): string => `[${Array.from({ length: count }, () => 0).join()}]`;
  const fields = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"${at}":0`).join()}}`;
  for (const write of [numbers, fields]) {
    expect(() => parseJson(write(maxJsonValues - 1))).not.toThrow();
    expect(() => parseJson(write(maxJsonValues))).toThrow("made of more than 200000 values");
  }
  expect(() => parseJson(`[${"[],".repeat(maxJsonValues)}[]]`)).toThrow("made of more than 200000 values");
  expect(() => JSON.parse(numbers(1_000_000))).not.toThrow();
});

test("jsonTextProblem ignores commas within strings, and invalid JSON", () => {
  const commas = ",".repeat(2 * maxJsonValues);
  for (const text of [commas, `${commas}"`, `\\"${commas}`])
    expect(jsonTextProblem(JSON.stringify([text, text]))).toBeUndefined();
  expect(jsonTextProblem(`"${commas}`)).toBeUndefined();
});

test("jsonTextProblem never undercounts the values", () => {
  const countOf = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner), 1)
      : 1;
  const property = fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
    const copies = Math.floor(maxJsonValues / countOf(value)) + 1;
    expect(jsonTextProblem(`[${Array.from({ length: copies }, () => JSON.stringify(value)).join()}]`)).toContain(
      "values",
    );
  });
  fc.assert(property, { numRuns: 20 });
});
