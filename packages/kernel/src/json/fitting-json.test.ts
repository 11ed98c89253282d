import { expect, test } from "bun:test";
import { fittingJson } from "./fitting-json.ts";

const schema = {
  type: "object",
  properties: { paths: { type: "array", items: { type: "string" } }, pattern: { type: "integer" } },
  required: ["paths"],
  additionalProperties: false,
};

test("fittingJson accepts valid JSON with or without a fence, and returns it verbatim", () => {
  const check = fittingJson(schema);

  expect(check(' {"paths": ["a"]}\n')).toEqual({ kind: "fits", text: '{"paths": ["a"]}' });
  expect(check('```json\n{"paths":[],"pattern":1}\n```')).toEqual({
    kind: "fits",
    text: '{"paths":[],"pattern":1}',
  });
});

test("fittingJson names the invalid part and its path", () => {
  const check = fittingJson(schema);

  expect(check("none")).toMatchObject({ kind: "wrong", problem: expect.stringContaining("it is not JSON") });
  expect(check('{"paths":[1]}')).toMatchObject({ problem: expect.stringContaining('"paths.0"') });
  expect(check("{}")).toMatchObject({ problem: expect.stringContaining('"paths"') });
});

test("fittingJson rejects an invalid, oversized or slow schema", () => {
  const deep = JSON.parse(`${'{"not":'.repeat(1_000)}{}${"}".repeat(1_000)}`);

  expect(() => fittingJson({ type: "colour" })).toThrow('Cannot use "schema"');
  expect(() => fittingJson(deep)).toThrow("nested");
  expect(() => fittingJson({ description: "x".repeat(70_000) })).toThrow("more than 65536 characters");
  expect(() => fittingJson({ type: "string", pattern: "^(a+)+$" })).toThrow('"pattern"');
  expect(() => fittingJson({ anyOf: [{ patternProperties: { "(a+)+": {} } }] })).toThrow('"patternProperties"');
});

test("fittingJson rejects recursive and doubling schemas, and answers too expensive to check", () => {
  const $defs: Record<string, { readonly anyOf: readonly { readonly $ref: string }[] }> = { a0: { anyOf: [] } };
  for (let level = 1; level <= 40; level += 1)
    $defs[`a${level}`] = { anyOf: Array.from({ length: 2 }, () => ({ $ref: `#/$defs/a${level - 1}` })) };
  const wide = { anyOf: Array.from({ length: 1_000 }, (_, index) => ({ const: index })) };

  expect(() => fittingJson({ $ref: "#" })).toThrow("is recursive");
  expect(() => fittingJson({ $defs, $ref: "#/$defs/a40" })).toThrow("more than 2000 parts");
  expect(fittingJson({ type: "array", items: wide })(`[${"0,".repeat(50_000)}0]`)).toMatchObject({
    problem: expect.stringContaining("too many to check"),
  });
});
