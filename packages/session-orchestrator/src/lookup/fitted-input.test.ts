import { expect, test } from "bun:test";
import { fittedInput } from "./input-problem.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer", minimum: 1 },
    share: { type: "number" },
    all: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    nothing: { type: ["string", "null"] },
    range: { type: "object", properties: { from: { type: "integer" } }, additionalProperties: false },
  },
  required: ["path"],
  additionalProperties: false,
};

test.each([
  [{ path: "f", limit: null }, { path: "f" }],
  [
    { path: "null", limit: "null", names: "None", all: "", nothing: "null" },
    { path: "null", nothing: "null" },
  ],
  [
    { path: "f", limit: "2" },
    { path: "f", limit: 2 },
  ],
  [
    { path: "f", share: " 0.5 " },
    { path: "f", share: 0.5 },
  ],
  [
    { path: 5, all: "true" },
    { path: "5", all: true },
  ],
  [
    { path: "f", names: "a" },
    { path: "f", names: ["a"] },
  ],
  [
    { path: "f", names: [1, "b"] },
    { path: "f", names: ["1", "b"] },
  ],
  [
    { path: "f", nothing: null, all: null },
    { path: "f", nothing: null },
  ],
  [
    { path: "f", range: { from: "3" } },
    { path: "f", range: { from: 3 } },
  ],
  [
    { path: "f", range: { from: null }, limit: "1" },
    { path: "f", range: {}, limit: 1 },
  ],
])("fittedInput converts %j to %j", (input, expected) => {
  expect(fittedInput(input, schema)).toEqual(expected);
});

test.each([
  { path: null },
  { path: "f", limit: "2.5" },
  { path: "f", limit: "0" },
  { path: "f", limit: "two" },
  { path: "f", all: "yes" },
  { path: "f", limit: null, other: 1 },
  { path: "2", limit: 1 },
])("fittedInput keeps %j unchanged", (input) => {
  expect(fittedInput(input, schema)).toBe(input);
});

test("fittedInput keeps empty and null-like strings of allowed additional properties", () => {
  const map = { type: "object", additionalProperties: { type: "string" } };
  const open = { type: "object", properties: { limit: { type: "integer" }, env: map } };

  expect(fittedInput({ limit: "2", extra: "none" }, open)).toEqual({ limit: 2, extra: "none" });
  expect(fittedInput({ env: { A: "", B: 5, C: null } }, open)).toEqual({ env: { A: "", B: "5" } });
});
