import { expect, test } from "bun:test";
import { fittingJson } from "./fitting-json.ts";

const schema = {
  type: "object",
  properties: { paths: { type: "array", items: { type: "string" } }, pattern: { type: "integer" } },
  required: ["paths"],
  additionalProperties: false,
};

test("fittingJson takes JSON that fits, in a fence or not, and gives it as it was written", () => {
  const check = fittingJson(schema);

  expect(check(' {"paths": ["a"]}\n')).toEqual({ kind: "fits", text: '{"paths": ["a"]}' });
  expect(check('```json\n{"paths":[],"pattern":1}\n```')).toEqual({
    kind: "fits",
    text: '{"paths":[],"pattern":1}',
  });
});

test("fittingJson says what does not fit, and where", () => {
  const check = fittingJson(schema);

  expect(check("none")).toMatchObject({ kind: "wrong", problem: expect.stringContaining("it is not JSON") });
  expect(check('{"paths":[1]}')).toMatchObject({ problem: expect.stringContaining('"paths.0"') });
  expect(check("{}")).toMatchObject({ problem: expect.stringContaining('"paths"') });
});

test("fittingJson refuses a schema that nobody can use, is too large, or could hold the host", () => {
  const deep = JSON.parse(`${'{"not":'.repeat(1_000)}{}${"}".repeat(1_000)}`);

  expect(() => fittingJson({ type: "colour" })).toThrow('Cannot use "schema"');
  expect(() => fittingJson(deep)).toThrow("nested");
  expect(() => fittingJson({ description: "x".repeat(70_000) })).toThrow("more than 65536 characters");
  expect(() => fittingJson({ type: "string", pattern: "^(a+)+$" })).toThrow('"pattern"');
  expect(() => fittingJson({ anyOf: [{ patternProperties: { "(a+)+": {} } }] })).toThrow('"patternProperties"');
});
