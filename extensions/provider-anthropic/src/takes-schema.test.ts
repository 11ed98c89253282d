import { expect, test } from "bun:test";
import { takesSchema } from "./tool-references.ts";

const takes = (schema: object): boolean => takesSchema({ inputSchema: { type: "object", ...schema } });
const nested = (schema: unknown): object => ({
  properties: { a: { items: { anyOf: [{ type: "null" }, schema] } } },
});

test("takesSchema accepts JSON Schema 2020-12 with an object at its top", () => {
  for (const schema of [
    {},
    { $schema: "http://json-schema.org/draft-07/schema#", additionalProperties: false, required: ["a", "b"] },
    {
      properties: {
        "a.b-c_D1": { type: ["string", "null"], pattern: "^\\p{L}+$", default: { exclusiveMinimum: true } },
      },
    },
    { properties: { enum: { enum: [1, "a", null] }, items: true, properties: { type: "object" } } },
    nested({ exclusiveMinimum: 0, "x-own": [1] }),
    nested({ multipleOf: 0.5, $id: "https://a.example/b", $anchor: "_a-1.b", contentEncoding: "base64" }),
    { $defs: { a: { oneOf: [{ $ref: "#/$defs/b" }] }, b: { prefixItems: [{}], items: false } } },
  ])
    expect([schema, takes(schema)]).toEqual([schema, true]);
});

test("takesSchema rejects schemas that the API rejects, at any depth", () => {
  for (const schema of [
    { anyOf: [{ required: ["a"] }] },
    { oneOf: [{}] },
    { allOf: [] },
    { properties: { $filter: {} } },
    { properties: { ["x".repeat(65)]: {} } },
    { properties: { größe: {} } },
    { properties: [] },
    { required: ["a", "a"] },
    { required: true },
    nested({ exclusiveMinimum: true }),
    nested({ items: [{ type: "string" }] }),
    nested({ type: "text" }),
    nested({ type: [] }),
    nested({ enum: "a" }),
    nested({ multipleOf: 0 }),
    nested({ $id: "a#b" }),
    nested({ $anchor: "1a" }),
    nested({ $dynamicAnchor: "#a" }),
    nested({ contentEncoding: 5 }),
    nested({ contentMediaType: ["text/plain"] }),
    nested({ contentSchema: "a" }),
    nested({ pattern: "(?<=a" }),
    nested({ patternProperties: { "[": {} } }),
    nested({ minLength: -1 }),
    nested({ anyOf: [] }),
    nested({ description: 7 }),
    nested({ $defs: { a: 7 } }),
    nested("a"),
  ])
    expect([schema, takes(schema)]).toEqual([schema, false]);
});
