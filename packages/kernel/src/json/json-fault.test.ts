import { expect, test } from "bun:test";
import { findJsonFault } from "./json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("findJsonFault returns the position where JSON becomes invalid", () => {
  for (const [text, line, column] of [
    ["{", 1, 2],
    ["", 1, 1],
    ["nonsense", 1, 1],
    ['{"a" 1}', 1, 6],
    ['{"a":1,}', 1, 8],
    ["[1,\n 2,\n x]", 3, 2],
    ['{"a": "b\nc"}', 1, 9],
    ['["\\x"]', 1, 3],
    ["1 2", 1, 3],
    ["[01]", 1, 3],
    ["}", 1, 1],
    ["[}", 1, 2],
  ] as const) {
    expect({ text, fault: findJsonFault(text) }).toMatchObject({ text, fault: { line, column } });
  }
});

test("findJsonFault agrees with JSON.parse for every single-character change", () => {
  const sample = ' {"a": [1, -2.5e+3, true, null, {}], "b\\n\\u00e9": {"c": "x", "d": []}, "e": false} ';
  expect(findJsonFault(sample)).toBeUndefined();

  for (let index = 0; index < sample.length; index += 1) {
    for (const replacement of [
      "",
      " ",
      "[",
      "]",
      "{",
      "}",
      '"',
      ",",
      ":",
      "1",
      "-",
      ".",
      "\\",
      "t",
      "\n",
      "\u0001",
    ]) {
      const text = sample.slice(0, index) + replacement + sample.slice(index + 1);
      expect({ text, isJson: findJsonFault(text) === undefined }).toEqual({ text, isJson: isJson(text) });
    }
  }
});

test("findJsonFault handles deep nesting and long strings without recursion", () => {
  expect(findJsonFault("[".repeat(1_000_000))?.offset).toBe(1_000_000);
  expect(findJsonFault(`"${"\\n".repeat(1_000_000)}"`)).toBeUndefined();
});

test("findJsonFault returns the exact offset within a string, also at the end of the text", () => {
  for (const [text, offset] of [
    ['"ab\\x"', 3],
    ['"ab\\', 3],
    ['"ab\\u12"', 3],
    ['"ab\u0001', 3],
    ['"ab', 3],
    ['["a", "\\x"]', 7],
  ] as const)
    expect([text, findJsonFault(text)?.offset]).toEqual([text, offset]);
});
